import { cancelPushOperation } from '../../../functions/push/cancel-push.ts';
import { getDeliveryHistoryOperation } from '../../../functions/push/get-delivery-history.ts';
import { getSendReportOperation } from '../../../functions/push/get-send-report.ts';
import { listSendsOperation } from '../../../functions/push/list-sends.ts';
import { sendBulkOperation } from '../../../functions/push/send-bulk.ts';
import { sendMessageOperation } from '../../../functions/push/send-message.ts';
import { sendMultiOperation } from '../../../functions/push/send-multi.ts';
import { updateRecipientsOperation } from '../../../functions/push/update-recipients.ts';
import type { Documented } from '../documented.ts';

const exampleMessageId = '5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11';
const bulkMessageIds = [
  '0d6f3c1a-95b2-8e47-a3d1-7b9e5c2f0000',
  '0d6f3c1a-95b2-8e47-a3d1-7b9e5c2f0001',
] as const;

const content = {
  pushType: 'SERVICE',
  payload: {
    title: 'Ваш заказ готов',
    message: 'Заберите его на кассе',
    deeplink: { target: 'card' },
  },
  qos: { deliveryStatusNotifications: true },
  utm: { utmSource: 'crm', utmMiddle: 'push', utmCampaign: 'spring' },
};

const rateHeaders = ['ratelimit', 'ratelimit-policy'] as const;

const bulkResponse = [
  { msisdn: 79001234567, messageId: bulkMessageIds[0], state: 'ENQUEUED' },
  { msisdn: 79007654321, messageId: bulkMessageIds[1], state: 'MSISDN_NOT_REGISTERED' },
];

export const pushOperations = [
  {
    operation: sendMessageOperation,
    tag: 'Push messages',
    responseHeaders: rateHeaders,
    requestsCallbacks: true,
    summary: 'Send a message to one phone number',
    description:
      'ENQUEUED means that the message is stored and will be handed to the wallet, SCHEDULED that this waits for ' +
      '`qos.deliverFrom`; MSISDN_NOT_REGISTERED is final. An image is shown with PROMO messages and dropped from others. `payload`, `qos` and `utm` ' +
      'may have further members, which are passed on as given (4,096 bytes in all). ' +
      'The message counts towards the rate once for each started 1,024 bytes of ' +
      'these. `qos.deliveryStatusNotifications` requests callbacks. With `dryRun` everything is validated and looked ' +
      'up, nothing is sent, and the response has no `messageId`.',
    requestExample: { ...content, msisdn: 79001234567 },
    responseExample: { messageId: exampleMessageId, state: 'ENQUEUED' },
  },
  {
    operation: sendBulkOperation,
    tag: 'Push messages',
    responseHeaders: rateHeaders,
    requestsCallbacks: true,
    summary: 'Send one message to a list of phone numbers',
    description:
      'The response has one element for each element of `msisdn`, in the same order. A number given twice ' +
      'is sent once and has the same messageId in both places. 200 means that the whole list is stored. ' +
      'After `PROCESSING_FAILED`, a 503 of the gateway or no response it may be stored too: repeat with the ' +
      'same Idempotency-Key. At most 10,000 recipients unless agreed otherwise. ' +
      'With `dryRun` nothing is sent.',
    requestExample: { ...content, msisdn: [79001234567, 79007654321] },
    responseExample: bulkResponse,
  },
  {
    operation: sendMultiOperation,
    tag: 'Push messages',
    responseHeaders: rateHeaders,
    requestsCallbacks: true,
    summary: 'Send several messages, one phone number each',
    description:
      'The response has one element for each message, in the same order. One invalid message rejects the ' +
      'whole request; the errors name each by its index. At most 1,000 messages unless agreed ' +
      'otherwise. Each counts towards the rate once for each started 1,024 bytes of its `payload`, `qos` and ' +
      '`utm`. With `?dryRun=true` nothing is sent.',
    requestExample: [
      { ...content, msisdn: 79001234567 },
      { ...content, msisdn: 79007654321 },
    ],
    responseExample: bulkResponse,
  },
  {
    operation: getDeliveryHistoryOperation,
    tag: 'Push messages',
    summary: 'Get the delivery history of a message',
    description:
      'The states sorted by time. OPENED may come without DELIVERED. EXPIRED comes with the time of qos.deliverDue, and a late report of the phone may add DELIVERED to it. ' +
      'A scheduled message is SCHEDULED, and ENQUEUED when it is handed over; CANCELLED, when it was taken back, and not after `qos.deliverFrom` if it was not handed over. Kept 30 days, which begin with `qos.deliverFrom`.',
    responseExample: {
      states: [
        { msisdn: 79001234567, state: 'ENQUEUED', time: '2026-05-20T15:00:00+0300' },
        { msisdn: 79001234567, state: 'DELIVERED', time: '2026-05-20T15:00:03+0300' },
        { msisdn: 79001234567, state: 'OPENED', time: '2026-05-20T15:01:00+0300' },
      ],
    },
  },
  {
    operation: getSendReportOperation,
    tag: 'Push messages',
    summary: 'Get the report of a send',
    description:
      'What became of all messages of a send; the id of any of them names it. A message counts once, by the furthest ' +
      'state it has reached, so `notRegistered`, `scheduled`, `enqueued`, `delivered`, `opened`, `expired`, `cancelled` and `erased` add up to ' +
      '`recipients`. `deliveredWithin`, `openedWithin` and `byHour` say how fast that was. Of several messages in one request, `pushType`, `title`, `utm` and `deliverDue` are there where all agree. ' +
      'With `Accept: text/csv`, unless JSON weighs more, there is a line for each recipient that was not erased, up to 30,000 recipients; times are UTC; a last column `utm`, as JSON, where all messages have the same and the file does not get too large. Kept 30 days. 120 reports a minute.',
    responseExample: {
      messageId: bulkMessageIds[0],
      acceptedAt: '2026-05-20T12:00:00.000Z',
      pushType: 'SERVICE',
      title: content.payload.title,
      utm: content.utm,
      recipients: 10_000,
      notRegistered: 1_786,
      scheduled: 0,
      enqueued: 214,
      delivered: 5_000,
      opened: 2_990,
      expired: 9,
      cancelled: 0,
      erased: 1,
      deliveredWithin: { p50Seconds: 4, p95Seconds: 61 },
      openedWithin: { p50Seconds: 740, p95Seconds: 9_300 },
      byHour: [{ hour: '2026-05-20T12:00:00.000Z', delivered: 7_990, opened: 2_990 }],
    },
    csvExample:
      'msisdn,messageId,state,acceptedAt,deliveredAt,openedAt,expiredAt,cancelledAt\r\n' +
      `79001234567,${bulkMessageIds[0]},OPENED,2026-05-20T12:00:00Z,2026-05-20T12:00:03Z,2026-05-20T12:01:00Z,,\r\n` +
      `79007654321,${bulkMessageIds[1]},MSISDN_NOT_REGISTERED,2026-05-20T12:00:00Z,,,,\r\n`,
  },
  {
    operation: cancelPushOperation,
    tag: 'Push messages',
    summary: 'Take back a message or a send',
    description:
      'Takes back what nobody has opened. Before `qos.deliverFrom` nothing is handed over any more; later phones remove ' +
      'the messages that were not opened, as soon as they are reached. Each message that is taken back gets CANCELLED; ' +
      'one that was opened before stays OPENED. Cancelling gives nothing back to the rate. A repeat answers the same.',
    requestExample: { of: 'send' },
    responseExample: { messageId: bulkMessageIds[0], of: 'send', recipients: 8_214 },
  },
  {
    operation: listSendsOperation,
    tag: 'Push messages',
    summary: 'List the sends to more than one number',
    description:
      'Of the last 30 days, newest first; sends of one message are not listed. `messageId` is the id of the first ' +
      'message, by which the report is found.',
    responseExample: {
      sends: [
        {
          messageId: bulkMessageIds[0],
          acceptedAt: '2026-05-20T12:00:00.000Z',
          recipients: 10_000,
          pushType: 'SERVICE',
          title: content.payload.title,
          utm: content.utm,
        },
      ],
      cursor: 'WyJzZW5kcyIsIjAwMDAwMTc3OTI3ODQwMDAwMCMwZDZmM2MxYS05NWIyLThlNDctYTNkMS03YjllNWMyZiJd',
    },
  },
  {
    operation: updateRecipientsOperation,
    tag: 'Wallet',
    summary: 'Register and unregister phone numbers',
    description: 'Up to 1,000 numbers a request over both lists. Setting a number again changes nothing.',
    requestExample: { registered: [79001234567], unregistered: [79007654321] },
    responseExample: { registered: 1, unregistered: 1 },
  },
] satisfies readonly Documented[];
