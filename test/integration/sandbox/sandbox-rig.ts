import { expect } from 'vitest';
import { sendBulk } from '../../../functions/push/send-bulk.ts';
import { deletePhone } from '../../../functions/sandbox/delete-phone.ts';
import { getPhone } from '../../../functions/sandbox/get-phone.ts';
import { listPhones } from '../../../functions/sandbox/list-phones.ts';
import { openPhoneMessage } from '../../../functions/sandbox/open-phone-message.ts';
import { putPhone } from '../../../functions/sandbox/put-phone.ts';
import { removeMessages } from '../../../functions/sandbox/remove-messages.ts';
import { reportReceipts } from '../../../functions/sandbox/report-receipts.ts';
import { showMessages } from '../../../functions/sandbox/show-messages.ts';
import { recipientStore } from '../../../shared/push/recipient-store.ts';
import { phoneStore } from '../../../shared/sandbox/phone-store.ts';
import { removedStore } from '../../../shared/sandbox/removed-store.ts';
import { clockedQueue } from '../../support/clocked-queue.ts';
import { bars, call } from '../../support/http.ts';
import { newQueue, sqsRecord } from '../../support/queue.ts';
import { storeTwoPartners } from '../../support/two-partners.ts';
import { content, pushRig, type Sent } from '../push/push-rig.ts';

export const number = 79_001_234_567;

type Shown = { messages: { messageId: string; state: string }[] };

/** Sets up the simulated wallet platform, which reports after this delay, around the functions of pushes. */
export async function sandboxRig(delaySeconds: number) {
  const push = await pushRig();
  const { table, clock, handlers } = push;
  await storeTwoPartners(table);
  const reports = clockedQueue(clock);
  const receipts = await newQueue();
  const phones = phoneStore(table);
  const recipients = recipientStore(table, (partnerId) => phones.numbers(partnerId, clock.now()));
  const deps = { ...push.deps, recipients, phones, queue: receipts, removed: removedStore(table) };
  const show = showMessages({ ...deps, queue: reports, delaySeconds });
  const take = removeMessages(deps);
  const report = reportReceipts(deps);
  const send = sendBulk({ ...push.sendDeps, recipients });
  const onPhone =
    (handler: unknown, method: string) =>
    (msisdn: number | string = number, partner = bars, messageId?: string) =>
      call(handler, {
        method,
        partner,
        path: { msisdn: String(msisdn), ...(messageId === undefined ? {} : { messageId }) },
      });
  const get = onPhone(getPhone(deps), 'GET');
  /** Records the receipts that have been reported. */
  const record = async () => {
    const records = (await receipts.drain()).map(({ body }) => sqsRecord(body));
    expect(await handlers.receipts({ Records: records })).toEqual({ batchItemFailures: [] });
  };
  return {
    ...push,
    get,
    list: async (query: Record<string, string> = {}) =>
      (await call(listPhones(deps), { method: 'GET', partner: bars, query })).body,
    put: onPhone(putPhone(deps), 'PUT'),
    remove: onPhone(deletePhone(deps), 'DELETE'),
    open: onPhone(openPhoneMessage(deps), 'POST'),
    /** The ids of the messages that a phone shows. */
    shownOn: async (msisdn = number, partner = bars) =>
      ((await get(msisdn, partner)).body as Shown).messages.map(({ messageId }) => messageId),
    send: async (msisdn: number | number[], partner = bars, more: object = {}) =>
      (await call(send, { partner, body: { ...content, ...more, msisdn: [msisdn].flat() } })).body as Sent[],
    /** Lets the simulated wallet platform take the messages from push-outbox. */
    arrive: async () => {
      const records = (await push.outgoing()).map(sqsRecord);
      expect(await show({ Records: records })).toEqual({ batchItemFailures: [] });
    },
    takeBack: async () => take({ Records: await push.cancellations.drain() }),
    record,
    reportDue: async () => {
      await report({ Records: reports.arrived() });
      await record();
    },
  };
}
