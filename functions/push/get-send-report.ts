import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { fail, isFailure } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { fitsInResponse } from '../../shared/platform/http/response-size.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { handedOverAt } from '../../shared/push/hand-over.ts';
import { MessageId, messageFields, unknownMessage } from '../../shared/push/message-id.ts';
import { messageReader } from '../../shared/push/message-reader.ts';
import { reportLimit } from '../../shared/push/reporting/report-limit.ts';
import {
  countMessages,
  mostCsvRecipients,
  reportCsv,
  SendReport,
  shownSend,
  withStates,
} from '../../shared/push/reporting/send-report.ts';
import { speedOf } from '../../shared/push/reporting/send-speed.ts';

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

/** Reports a send, named by any of its messages: as counts, or as CSV with a line for each recipient. */
export function getSendReport(deps = connect()) {
  return httpHandler(getSendReportOperation, deps, async (call) => {
    const { partnerId, path, wantsCsv, addFields } = call;
    const { messageId } = path;
    addFields(messageFields(messageId));
    const share = await deps.reports.take(partnerId, 1, deps.clock.now());
    if (isFailure(share)) return share;
    const nowMs = deps.clock.now();
    const found = await deps.messages.sendOfMessage(messageId, nowMs);
    if (found?.partnerId !== partnerId) return unknownMessage(messageId);
    const send = { count: 1, ...found };
    const { count } = send;
    addFields({ recipients: count, csv: wantsCsv });
    if (wantsCsv && count > mostCsvRecipients) return tooLarge(count);
    const sent = 'bulkId' in found ? await deps.messages.readRecipients(found) : [found];
    const ids = sent.map((message) => message.messageId);
    const messages = withStates(sent, await deps.states.findMany(ids, { consistent: true }));
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

function connect() {
  return httpDeps({
    reports: reportLimit,
    messages: messageReader,
    states: deliveryStateStore,
  });
}
