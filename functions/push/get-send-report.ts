import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { fitsInResponse } from '../../shared/platform/http/response-size.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { handedOverAt } from '../../shared/push/hand-over.ts';
import { isSingle, MessageId, unknownMessage } from '../../shared/push/message-id.ts';
import { messageReader } from '../../shared/push/message-reader.ts';
import { reportLimit } from '../../shared/push/reporting/report-limit.ts';
import {
  countMessages,
  mostCsvRecipients,
  type ReportedMessage,
  type ReportedSend,
  reportCsv,
  SendReport,
  shownSend,
  withStates,
} from '../../shared/push/reporting/send-report.ts';
import { speedOf } from '../../shared/push/reporting/send-speed.ts';
import { sendStore } from '../../shared/push/reporting/send-store.ts';

export const getSendReportOperation = operation({
  id: 'GetSendReport',
  route: 'GET /push/{messageId}/report',
  caller: partner(['messages']),
  budget: 'heavy',
  path: z.object({ messageId: MessageId }),
  response: SendReport,
  csv: true,
  failures: ['MESSAGE_NOT_FOUND', 'REPORT_TOO_LARGE', 'REPORT_LIMIT_EXCEEDED'],
});

type Deps = ReturnType<typeof connect>;

/** Reports a send, named by any of its messages: as counts, or as CSV with a line for each recipient. */
export function getSendReport(deps = connect()) {
  return httpHandler(getSendReportOperation, deps, async (call) => {
    const { partnerId, path, wantsCsv, addFields } = call;
    const { messageId } = path;
    const limited = await deps.reports.count(partnerId, deps.clock.now());
    if (limited) return limited;
    const find = isSingle(messageId) ? findSingle : findBulk;
    const send = await find(deps, messageId);
    if (send?.partnerId !== partnerId) return unknownMessage(messageId);
    const { count } = send;
    addFields({ messageId, recipients: count, csv: wantsCsv });
    if (wantsCsv && count > mostCsvRecipients) return tooLarge(count);
    const messages = await send.messages();
    if (!wantsCsv) {
      const speed = speedOf(messages, handedOverAt(send));
      return ok({ ...shownSend(messageId, send), ...countMessages(messages, send), ...speed });
    }
    const headers = { 'content-disposition': `attachment; filename="report-${messageId}.csv"` };
    const withUtm = reportCsv(messages, send, shownSend(messageId, send).utm);
    return { csv: fitsInResponse(withUtm) ? withUtm : reportCsv(messages, send), headers };
  });
}

function tooLarge(count: number) {
  return fail(
    'REPORT_TOO_LARGE',
    `accept: a CSV has at most ${mostCsvRecipients} recipients, this send has ${count}; ask for application/json, which has the counts`,
  );
}

/** `messages` reads them, which is only done for the partner that sent them. */
type Send = ReportedSend & { messages: () => Promise<ReportedMessage[]> };

async function findBulk({ sends, clock }: Deps, messageId: string): Promise<Send | undefined> {
  const send = await sends.find(messageId, clock.now());
  return send && { ...send, messages: () => sends.readMessages(send) };
}

async function findSingle({ messages, states, clock }: Deps, messageId: string): Promise<Send | undefined> {
  const message = (await messages.findMany([messageId], clock.now())).get(messageId);
  if (!message) return undefined;
  const readMessage = async () => withStates([message], (await states.find(messageId)).states);
  return { ...message, count: 1, messages: readMessage };
}

function connect() {
  return httpDeps({
    reports: reportLimit,
    sends: sendStore,
    messages: messageReader,
    states: deliveryStateStore,
  });
}
