import { type EndpointDeps, endpoint } from '../../shared/http/endpoint.ts';
import { fail } from '../../shared/http/failures.ts';
import { ok, operation } from '../../shared/http/operation.ts';
import { partner } from '../../shared/partners/callers.ts';
import { BulkResponse, type BulkSender, bulkMetrics, sendInBulk } from '../../shared/push/bulk-send.ts';
import { checkContents, defaultPushLimits, MultiRequest, passedOn } from '../../shared/push/push-request.ts';
import { presentRate } from '../../shared/push/rate-headers.ts';

export const sendMultiOperation = operation({
  id: 'SendMulti',
  route: 'POST /push/bulk/multi',
  aliases: ['POST /bulk/multi'],
  caller: partner(['messages']),
  body: MultiRequest,
  bodyLimit: { receivedBytes: 6_000_000, gunzippedBytes: 6_000_000 },
  batchLimit: (body, { limits }) => {
    const limit = limits.multiMessages ?? defaultPushLimits.multiMessages;
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
  failures: ['BATCH_SIZE_EXCEEDED', 'RATE_LIMIT_EXCEEDED'],
  unexpectedFailure: 'PROCESSING_FAILED',
});

/** C3: accepts several messages, one recipient each; one invalid message rejects them all. */
export function sendMulti(deps: EndpointDeps & BulkSender) {
  return endpoint(
    sendMultiOperation,
    deps,
    async ({ callerId, requestId, operationToken, limits, body, addFields, addMetrics }) => {
      const msisdns = body.map(({ msisdn }) => msisdn);
      const contents = body.map(({ msisdn: _recipient, ...content }) => content);
      const send = { partnerId: callerId, requestId, operationToken, limits, msisdns, contents, each: true };
      const sent = await sendInBulk(deps, send);
      if ('failure' in sent) return sent;
      addFields({ bulkId: sent.bulkId, messages: body.length, registered: sent.registered });
      addMetrics(bulkMetrics(sent));
      return ok(sent.messages, sent.headers);
    },
    { presentHeaders: presentRate(deps.rate) },
  );
}
