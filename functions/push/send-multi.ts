import { partner } from '../../shared/partners/callers.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { BulkResponse, bulkMetrics, sendInBulk } from '../../shared/push/sending/bulk-send.ts';
import {
  bulkLimit,
  checkContents,
  defaultPushLimits,
  isDryRun,
  MultiRequest,
  passedOn,
  SendQuery,
} from '../../shared/push/sending/push-request.ts';
import { presentRate } from '../../shared/push/sending/rate-headers.ts';
import { rateWindow } from '../../shared/push/sending/rate-window.ts';
import { stageRecipients } from '../../shared/sandbox/stage-recipients.ts';

export const sendMultiOperation = operation({
  id: 'SendMulti',
  route: 'POST /push/bulk/multi',
  aliases: ['POST /bulk/multi'],
  caller: partner(['messages']),
  query: SendQuery,
  body: MultiRequest,
  isDryRun,
  bodyLimit: { gunzippedBytes: 6_000_000 },
  batchLimit: (body, { limits }) => {
    const limit = bulkLimit(limits.multiMessages ?? defaultPushLimits.multiMessages);
    return Array.isArray(body) && body.length > limit
      ? fail(
          'BATCH_SIZE_EXCEEDED',
          `body: ${body.length} messages, the limit is ${limit} a request; send several requests`,
        )
      : undefined;
  },
  passedOn,
  checkPassedOn: checkContents,
  response: BulkResponse,
  failures: ['REQUEST_INVALID', 'BATCH_SIZE_EXCEEDED', 'RATE_LIMIT_EXCEEDED'],
  unexpectedFailure: 'PROCESSING_FAILED',
});

/** C3: accepts several messages, one recipient each; one invalid message rejects them all. */
export function sendMulti(
  deps = httpDeps({ messages: messageStore, rate: rateWindow, recipients: stageRecipients }),
) {
  return httpHandler(
    sendMultiOperation,
    deps,
    async ({ callerId, requestId, operationToken, repeatOf, limits, query, body, addFields, addMetrics }) => {
      const msisdns = body.map(({ msisdn }) => msisdn);
      const contents = body.map(({ msisdn: _recipient, ...content }) => content);
      const { dryRun } = query;
      const sender = { partnerId: callerId, requestId, operationToken, repeatOf, limits };
      const sent = await sendInBulk(deps, { ...sender, msisdns, contents, each: true, dryRun });
      if ('failure' in sent) return sent;
      addFields({
        bulkId: sent.bulkId,
        dryRun,
        isNew: sent.isNew,
        messages: body.length,
        registered: sent.registered,
      });
      addMetrics(bulkMetrics(sent));
      return ok(sent.messages, sent.headers);
    },
    { currentHeaders: presentRate(deps.rate) },
  );
}
