import { advanceSends } from '../../../functions/push/advance-sends.ts';
import { cancelPush } from '../../../functions/push/cancel-push.ts';
import { dispatchMessages } from '../../../functions/push/dispatch-messages.ts';
import { getDeliveryHistory } from '../../../functions/push/get-delivery-history.ts';
import { getSendReport } from '../../../functions/push/get-send-report.ts';
import { listSends } from '../../../functions/push/list-sends.ts';
import { recordReceipts } from '../../../functions/push/record-receipts.ts';
import { sendBulk } from '../../../functions/push/send-bulk.ts';
import { sendMessage } from '../../../functions/push/send-message.ts';
import { sendMulti } from '../../../functions/push/send-multi.ts';
import { updateRecipients } from '../../../functions/push/update-recipients.ts';
import { partnerAdminStore } from '../../../shared/partners/partner-admin-store.ts';
import { firstKey } from '../../../shared/partners/partner-rows.ts';
import { parkedStore } from '../../../shared/platform/queues/parked-store.ts';
import { deleteRow, putRow } from '../../../shared/platform/table/rows.ts';
import type { CancellationMessage } from '../../../shared/push/deadlines/cancellation-message.ts';
import { deadlineStore } from '../../../shared/push/deadlines/deadline-store.ts';
import { releaseStore } from '../../../shared/push/deadlines/release-store.ts';
import { sweepSends } from '../../../shared/push/deadlines/sweep-sends.ts';
import { deliveryStateStore } from '../../../shared/push/delivery-state-store.ts';
import { messageStore } from '../../../shared/push/message-store.ts';
import { recipientStore } from '../../../shared/push/recipient-store.ts';
import { reportLimit } from '../../../shared/push/reporting/report-limit.ts';
import { sendStore } from '../../../shared/push/reporting/send-store.ts';
import { presentRate } from '../../../shared/push/sending/admission.ts';
import type { OutboxMessage } from '../../../shared/push/sending/outbox-message.ts';
import { rateWindow } from '../../../shared/push/sending/rate-window.ts';
import { neverRegistered } from '../../../shared/sandbox/test-numbers.ts';
import { fakeClock } from '../../support/clock.ts';
import { clockedQueue } from '../../support/clocked-queue.ts';
import { bars, call, type HttpResponse, type Request, respond } from '../../support/http.ts';
import { newQueue, sqsRecord } from '../../support/queue.ts';
import { requestDeps } from '../../support/request-deps.ts';
import { streamRecord } from '../../support/stream-record.ts';
import { newTable } from '../../support/table.ts';

export const content = {
  pushType: 'SERVICE',
  payload: { title: 'Ваш заказ готов', message: 'Заберите его на кассе' },
};

export const phone = 79_001_234_567;
export const other = 79_007_654_321;

/** A content that is delivered from 12:10 on. */
export const deliverFrom = '2026-05-20T15:10:00+03:00';
export const from = Date.parse('2026-05-20T12:10:00Z');
export const scheduled = { ...content, qos: { deliverFrom } };

export type Sent = { msisdn: number; messageId: string; state: string };

/** Phone numbers in a row. */
export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => 79_000_000_000 + n);
}

/** A message that was sent, or its id. A test that has neither gets the answer to an id that nobody has. */
type Named = Sent | string | undefined;

function idOf(message: Named): string {
  return typeof message === 'string' ? message : (message?.messageId ?? '');
}

/** Sets up the functions of area C around one table and one outbox, with the partner bars and registered numbers. */
export async function pushRig(...registered: number[]) {
  const table = await newTable();
  const outbox = await newQueue();
  const cancellations = await newQueue();
  const clock = fakeClock();
  const deadlinesQueue = clockedQueue(clock);
  const stores = {
    recipients: recipientStore(table),
    messages: messageStore(table),
    states: deliveryStateStore(table),
    sends: sendStore(table),
    deadlines: deadlineStore(table),
    reports: reportLimit(table),
    parked: parkedStore(table),
    releases: releaseStore(table),
  };
  const deps = { ...requestDeps(table, clock), ...stores, rate: rateWindow(table, clock) };
  const sendDeps = { ...deps, currentHeaders: presentRate(deps.rate) };
  const handlers = {
    single: sendMessage(sendDeps),
    bulk: sendBulk(sendDeps),
    multi: sendMulti(sendDeps),
    history: getDeliveryHistory(deps),
    report: getSendReport(deps),
    sends: listSends(deps),
    recipients: updateRecipients({ ...deps, neverRegistered }),
    dispatch: dispatchMessages({ ...deps, queue: outbox }),
    receipts: recordReceipts(deps),
    advance: advanceSends({ ...deps, cancellations }),
    cancel: cancelPush({ ...deps, cancellations, deadlinesQueue }),
  };
  const to =
    (handler: unknown) =>
    (body: unknown, request: Request = {}): Promise<HttpResponse> =>
      call(handler, { partner: bars, body, ...request });

  const register = async (...msisdns: number[]) => {
    for (let n = 0; n < msisdns.length; n += 1_000)
      await call(handlers.recipients, { body: { registered: msisdns.slice(n, n + 1_000) } });
  };
  const single = to(handlers.single);
  const bulk = to(handlers.bulk);
  const multi = to(handlers.multi);
  /** Sends, and returns what was answered for each message. */
  const sent = {
    single: async (msisdn: number, body: object = content): Promise<Sent> => ({
      ...((await single({ ...body, msisdn })).body as Sent),
      msisdn,
    }),
    bulk: async (msisdn: number[], body: object = content) =>
      (await bulk({ ...body, msisdn })).body as Sent[],
    multi: async (messages: object[]) => (await multi(messages)).body as Sent[],
  };
  /** A request of bars about a message. */
  const about = (message: Named, request: Request = {}) => ({
    partner: bars,
    path: { messageId: idOf(message) },
    ...request,
  });
  const history = (message: Named) => call(handlers.history, about(message));
  const report = (message: Named, request: Request = {}) => call(handlers.report, about(message, request));
  const sends = (query: Record<string, string> = {}, request: Request = {}) =>
    call(handlers.sends, { partner: bars, query, ...request });
  /** Lines such as `ENQUEUED 15:00:00`, with the time in Moscow on the day of the tests. */
  const statesOf = async (message: Named) => {
    const { states } = (await history(message)).body as { states: { state: string; time: string }[] };
    return states.map(({ state, time }) => `${state} ${time.replace(/^2026-05-20T(.*)\+0300$/, '$1')}`);
  };
  /** Dispatches every row accepted so far, as the stream would. */
  const dispatch = async () => {
    const rows = (await table.rows()).filter((row) => row['toDispatch'] === 'yes');
    return handlers.dispatch({ Records: rows.map((row) => streamRecord(row)) });
  };
  /** The body of a request to cancel a message or its send. */
  const cancel = (message: Named, of: unknown, request: Request = {}) =>
    call(handlers.cancel, about(message, { body: { of }, ...request }));
  /** Creates a partner whose sends are released, with the key of its requests. */
  const createPartner = (partner = bars) =>
    partnerAdminStore(table).create(
      firstKey({ ...partner, login: partner.partnerId }, 'a secret of the tests', 0),
    );
  /** The messages that the wallet platform gets of all rows accepted so far. */
  const outgoing = async (): Promise<OutboxMessage[]> => {
    await dispatch();
    return (await outbox.drain()).map(({ body }) => JSON.parse(body) as OutboxMessage);
  };
  const receive = (...messages: unknown[]) =>
    handlers.receipts({ Records: messages.map((message) => sqsRecord(message)) });
  /** Does what a report of the wallet platform about these messages does. */
  const reports = (messages: readonly (Sent | undefined)[], state: string, time: string) =>
    receive({
      receipts: messages.map((one) => ({ messageId: one?.messageId, msisdn: one?.msisdn, state, time })),
    });
  /** Does what the schedule does in a minute. */
  const sweep = () => {
    const run = { until: clock.now() + 40_000, counts: { sendsDue: 0 } };
    return sweepSends({ deadlines: stores.deadlines, queue: deadlinesQueue, clock }, run);
  };
  /** Does what the worker does with the messages that have arrived, and returns these. */
  const work = async (): Promise<unknown[]> => {
    const records = deadlinesQueue.arrived();
    const { batchItemFailures } = await handlers.advance({ Records: records });
    if (batchItemFailures.length > 0) throw new Error('the worker failed');
    return records.map(({ body }) => JSON.parse(body) as unknown);
  };
  const parked = async () => (await table.rows('PARKED#')).map(({ reason }) => reason);
  /** The rows of messages and of sends. */
  const heads = async () => (await table.rows()).filter(({ sk }) => sk === 'MESSAGE' || sk === 'PAYLOAD');
  await createPartner();
  await register(...registered);
  return {
    table,
    outbox,
    clock,
    deps,
    sendDeps,
    handlers,
    single,
    bulk,
    multi,
    sent,
    register,
    unregister: (...unregistered: number[]) => call(handlers.recipients, { body: { unregistered } }),
    history,
    report,
    csv: (message: Named, accept = 'text/csv') =>
      respond(handlers.report, about(message, { headers: { accept } })),
    sends,
    statesOf,
    /** The states that each message has reached, without times: `SCHEDULED,CANCELLED`. */
    reached: async (...messages: readonly Named[]): Promise<string[]> => {
      const all = await Promise.all(messages.map(statesOf));
      return all.map((states) => states.map((line) => line.split(' ')[0]).join());
    },
    dispatch,
    outgoing,
    /** The ids of the messages that the wallet platform gets. */
    handedOver: async (): Promise<string[]> =>
      (await outgoing()).flatMap(({ messages }) => messages.map(({ messageId }) => messageId)),
    /** Gives the row of a message or a bulk send content that cannot be read. */
    damage: async (sendId: string) => {
      const row = (await heads()).find(({ pk }) => String(pk).endsWith(sendId));
      await putRow(table, { pk: '', sk: '', ...row, content: 'torn' });
    },
    receive,
    reports,
    /** Expires the messages that were neither delivered nor opened. */
    expire: async (sent: readonly (Sent | undefined)[], atMs: number): Promise<number> => {
      const messages = await stores.messages.findMany(sent.map(idOf), clock.now());
      return stores.states.expire([...messages.values()].map((message) => ({ message, atMs })));
    },
    endPassed: async (): Promise<unknown[]> => {
      await sweep();
      return work();
    },
    sweep,
    work,
    cancel,
    askedBack: async (): Promise<CancellationMessage[]> =>
      (await cancellations.drain()).map(({ body }) => JSON.parse(body) as CancellationMessage),
    createPartner,
    setDisabled: (disabled: boolean) => partnerAdminStore(table).setDisabled('bars', disabled),
    deadlinesQueue,
    cancellations,
    remove: ({ pk, sk }: Record<string, unknown>) => deleteRow(table, { pk: String(pk), sk: String(sk) }),
    parked,
    dueRows: () => table.rows('DEADLINE#'),
    heads,
  };
}
