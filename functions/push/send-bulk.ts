import { partner } from '../../shared/partners/callers.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { BulkResponse, bulkMetrics, sendInBulk } from '../../shared/push/sending/bulk-send.ts';
import {
  BulkRequest,
  bulkLimit,
  checkContent,
  defaultPushLimits,
  isDryRun,
  passedOn,
  SendQuery,
} from '../../shared/push/sending/push-request.ts';
import { presentRate } from '../../shared/push/sending/rate-headers.ts';
import { rateWindow } from '../../shared/push/sending/rate-window.ts';
import { stageRecipients } from '../../shared/sandbox/stage-recipients.ts';

function recipientsIn(body: unknown): number {
  return typeof body === 'object' && body !== null && 'msisdn' in body && Array.isArray(body.msisdn)
    ? body.msisdn.length
    : 0;
}

export const sendBulkOperation = operation({
  id: 'SendBulk',
  route: 'POST /push/bulk/single',
  aliases: ['POST /bulk/single'],
  caller: partner(['messages']),
  query: SendQuery,
  body: BulkRequest,
  isDryRun,
  bodyLimit: { receivedBytes: 1_000_000, gunzippedBytes: 2_000_000 },
  batchLimit: (body, { limits }) => {
    const limit = bulkLimit(limits.bulkRecipients ?? defaultPushLimits.bulkRecipients);
    const count = recipientsIn(body);
    return count > limit
      ? fail(
          'BATCH_SIZE_EXCEEDED',
          `msisdn: ${count} recipients, the limit is ${limit} a request; send several requests`,
        )
      : undefined;
  },
  passedOn,
  checkPassedOn: checkContent,
  response: BulkResponse,
  failures: ['REQUEST_INVALID', 'BATCH_SIZE_EXCEEDED', 'RATE_LIMIT_EXCEEDED'],
  unexpectedFailure: 'PROCESSING_FAILED',
});

/** C2: accepts one message for a list of recipients; a number given twice is sent once. */
export function sendBulk(
  deps = httpDeps({ messages: messageStore, rate: rateWindow, recipients: stageRecipients }),
) {
  return httpHandler(
    sendBulkOperation,
    deps,
    async ({ callerId, requestId, operationToken, repeatOf, limits, query, body, addFields, addMetrics }) => {
      const { msisdn: requested, dryRun: _asked, ...content } = body;
      const msisdns = [...new Set(requested)];
      const dryRun = isDryRun({ query, body });
      const sender = { partnerId: callerId, requestId, operationToken, repeatOf, limits };
      const sent = await sendInBulk(deps, { ...sender, msisdns, contents: [content], dryRun });
      if ('failure' in sent) return sent;
      addFields({
        bulkId: sent.bulkId,
        dryRun,
        isNew: sent.isNew,
        recipients: msisdns.length,
        registered: sent.registered,
      });
      addMetrics(bulkMetrics(sent));
      const byNumber = new Map(sent.messages.map((message) => [message.msisdn, message]));
      return ok(
        requested.map((msisdn) => byNumber.get(msisdn)).filter((message) => message !== undefined),
        sent.headers,
      );
    },
    { currentHeaders: presentRate(deps.rate) },
  );
}
