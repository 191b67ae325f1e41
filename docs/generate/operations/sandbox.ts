import { deletePhoneOperation } from '../../../functions/sandbox/delete-phone.ts';
import { getPhoneOperation } from '../../../functions/sandbox/get-phone.ts';
import { getSandboxReceiverOperation } from '../../../functions/sandbox/get-sandbox-receiver.ts';
import { listPhonesOperation } from '../../../functions/sandbox/list-phones.ts';
import { openPhoneMessageOperation } from '../../../functions/sandbox/open-phone-message.ts';
import { openSandboxCheckInOperation } from '../../../functions/sandbox/open-sandbox-check-in.ts';
import { putPhoneOperation } from '../../../functions/sandbox/put-phone.ts';
import { putSandboxReceiverOperation } from '../../../functions/sandbox/put-sandbox-receiver.ts';
import { takeSandboxCallbackOperation } from '../../../functions/sandbox/take-sandbox-callback.ts';
import type { Documented } from '../documented.ts';

const tag = 'Sandbox';
const msisdn = 79_001_234_567;
const messageId = '5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11';
const openedAt = '2026-05-20T12:00:09.000Z';

const receiver = {
  url: 'https://api.example/sandbox/callbacks/bars.C2FVsBQIhrscChlQIMVb5sSYspob7oDxk3q0v8YJt1o',
  answer: { status: 200, delaySeconds: 0 },
  taken: 1,
  refused: 0,
  callbacks: [
    {
      receivedAt: '2026-05-20T12:00:02.800Z',
      answered: 200,
      delaySeconds: 0,
      headers: {
        'webhook-id': `${messageId}-DELIVERED`,
        'webhook-timestamp': '1779278402',
        'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        'user-agent': 'PartnerIntegrationService/0.1.0',
        'content-type': 'application/json',
      },
      body: `{"msisdn":${msisdn},"messageId":"${messageId}","state":"DELIVERED","time":"2026-05-20T12:00:02Z"}`,
    },
  ],
};

export const sandboxOperations = [
  {
    operation: openSandboxCheckInOperation,
    tag,
    summary: 'Check in a card at one of your service points',
    description:
      'What the wallet platform does when a card holder checks in, on stages where it is simulated; others ' +
      'answer 404. A card has at most one active check-in at a place: opening again returns the same one.',
    requestExample: { offerId: 'bars-of-moscow', placeId: '000069302', cardNumber: '9643907500000012' },
    responseExample: { checkinNumber: 17, secretCode: '0022', expiresAt: '2026-05-20T14:00:00.000Z' },
  },
  {
    operation: putPhoneOperation,
    tag,
    summary: 'Add a phone',
    description:
      "Your messages reach it, and nobody else's do. They are delivered by themselves and opened by you. At most 20 phones, " +
      'kept for 30 days after the last was added.',
    responseExample: { msisdn, registered: true },
  },
  {
    operation: listPhonesOperation,
    tag,
    summary: 'List your phones',
    description: 'Those that you have added, in the order of their numbers. The last page has no `cursor`.',
    responseExample: { phones: [{ msisdn, registered: true }] },
  },
  {
    operation: getPhoneOperation,
    tag,
    summary: 'Show what a phone shows',
    description: 'The messages of the last 7 days, newest first, 100 at most; yours only.',
    responseExample: {
      msisdn,
      registered: true,
      messages: [
        {
          messageId,
          state: 'OPENED',
          sender: 'bars',
          pushType: 'SERVICE',
          payload: { title: 'Ваш заказ готов', message: 'Заберите его на кассе' },
          acceptedAt: '2026-05-20T12:00:00.000Z',
          deliveredAt: '2026-05-20T12:00:02.412Z',
          openedAt,
        },
      ],
    },
  },
  {
    operation: openPhoneMessageOperation,
    tag,
    summary: 'Open a message on a phone',
    description:
      'The message becomes OPENED within seconds, and its callback follows. Opening it again changes nothing.',
    responseExample: { messageId, state: 'OPENED', openedAt },
  },
  {
    operation: deletePhoneOperation,
    tag,
    summary: 'Remove a phone',
    description: 'With what it shows. A number that the operator has registered stays registered.',
    responseExample: { msisdn, registered: false },
  },
  {
    operation: getSandboxReceiverOperation,
    tag,
    summary: 'Show your receiver and the callbacks that it has taken',
    description:
      'For partners without a server of their own: `PUT /callbacks/endpoint` takes its address. The receiver is made at the ' +
      'first look, and kept for 60 days at least after the last.',
    responseExample: receiver,
  },
  {
    operation: putSandboxReceiverOperation,
    tag,
    summary: 'Set how your receiver answers',
    description:
      'To callbacks that verify: 503, 410 or 200, up to 20 s late, for so many callbacks or until it is set again.',
    requestExample: { status: 503, times: 2 },
    responseExample: { ...receiver, answer: { status: 503, delaySeconds: 0, times: 2 } },
  },
  {
    operation: takeSandboxCallbackOperation,
    tag,
    summary: 'Take a callback',
    description:
      'The address of a receiver, for callbacks of this service: no key, but a signature of Standard Webhooks by a secret of ' +
      "the partner's endpoint. What does not verify is counted, and not stored.",
    responseExample: { verified: true },
  },
] satisfies readonly Documented[];
