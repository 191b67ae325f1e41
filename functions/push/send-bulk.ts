import { partner } from '../../shared/partners/callers.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { stageRecipients } from '../../shared/push/recipient-store.ts';
import { presentRate } from '../../shared/push/sending/admission.ts';
import { BulkResponse, sendInBulk } from '../../shared/push/sending/bulk-send.ts';
import {
  BulkRequest,
  checkContent,
  isDryRun,
  refuseBatch,
  sendContract,
} from '../../shared/push/sending/push-request.ts';
import { rateWindow } from '../../shared/push/sending/rate-window.ts';

function recipientsIn(body: unknown): number {
  return typeof body === 'object' && body !== null && 'msisdn' in body && Array.isArray(body.msisdn)
    ? body.msisdn.length
    : 0;
}

export const sendBulkOperation = operation({
  id: 'SendBulk',
  contractId: 'C2',
  route: 'POST /push/bulk/single',
  aliases: ['POST /bulk/single'],
  caller: partner(['messages']),
  budget: 'heavy',
  ...sendContract,
  body: BulkRequest,
  bodyLimit: { receivedBytes: 1_000_000, gunzippedBytes: 2_000_000 },
  batchLimit: (body, { limits }) => refuseBatch(limits, 'bulkRecipients', recipientsIn(body)),
  checkPassedOn: checkContent,
  response: BulkResponse,
  failures: ['REQUEST_INVALID', 'BATCH_SIZE_EXCEEDED', 'RATE_LIMIT_EXCEEDED', 'REQUEST_LIMIT_EXCEEDED'],
  unexpectedFailure: 'PROCESSING_FAILED',
  overBudgetStatus: 503,
});

/** C2: accepts one message for a list of recipients; a number given twice is sent once. */
export function sendBulk(
  deps = httpDeps({ messages: messageStore, rate: rateWindow, recipients: stageRecipients }),
) {
  return httpHandler(sendBulkOperation, { ...deps, currentHeaders: presentRate(deps.rate) }, async (call) => {
    const { query, body, addFields } = call;
    const { msisdn: requested, dryRun: _asked, ...content } = body;
    const msisdns = [...new Set(requested)];
    const dryRun = isDryRun({ query, body });
    const sent = await sendInBulk(deps, call, { msisdns, contents: [content], dryRun });
    if ('failure' in sent) return sent;
    addFields({ recipients: msisdns.length });
    const byNumber = new Map(sent.messages.map((message) => [message.msisdn, message]));
    return ok(
      requested.map((msisdn) => byNumber.get(msisdn)).filter((message) => message !== undefined),
      sent.headers,
    );
  });
}
