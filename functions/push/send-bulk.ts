import { partner } from '../../shared/partners/callers.ts';
import { httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { bulkContract, sendInBulk } from '../../shared/push/sending/bulk-send.ts';
import { BulkRequest, isDryRun, refuseBatch } from '../../shared/push/sending/push-request.ts';
import { sendDeps } from '../../shared/push/sending/send-deps.ts';

export const sendBulkOperation = operation({
  id: 'SendBulk',
  contractId: 'C2',
  route: 'POST /push/bulk/single',
  aliases: ['POST /bulk/single'],
  caller: partner(['messages']),
  ...bulkContract,
  body: BulkRequest,
  bodyLimit: { receivedBytes: 1_000_000, gunzippedBytes: 2_000_000, failure: 'BATCH_SIZE_EXCEEDED' },
  batchLimit: (body, { limits }) => refuseBatch(limits, 'bulkRecipients', Object(body).msisdn),
});

/** C2: accepts one message for a list of recipients; a number given twice is sent once. */
export function sendBulk(deps = sendDeps()) {
  return httpHandler(sendBulkOperation, deps, async (call) => {
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
