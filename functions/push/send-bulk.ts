import { type EndpointDeps, endpoint } from '../../shared/http/endpoint.ts';
import { fail } from '../../shared/http/failures.ts';
import { ok, operation } from '../../shared/http/operation.ts';
import { type BulkSender, countsOf, SentMessages, sendInBulk } from '../../shared/push/bulk-send.ts';
import { BulkRequest, defaultPushLimits } from '../../shared/push/push-request.ts';

function recipientsIn(body: unknown): number {
  return typeof body === 'object' && body !== null && 'msisdn' in body && Array.isArray(body.msisdn)
    ? body.msisdn.length
    : 0;
}

export const sendBulkOperation = operation({
  id: 'SendBulk',
  route: 'POST /push/bulk/single',
  aliases: ['POST /bulk/single'],
  caller: 'partner',
  body: BulkRequest,
  bodyLimit: { sentBytes: 1_000_000, inflatedBytes: 2_000_000 },
  tooMany: (body, { bulkRecipients: limit = defaultPushLimits.bulkRecipients }) => {
    const count = recipientsIn(body);
    return count > limit
      ? fail(
          'BATCH_SIZE_EXCEEDED',
          `msisdn: ${count} recipients, the limit is ${limit} a request; send several requests`,
        )
      : undefined;
  },
  answer: SentMessages,
  failures: ['BATCH_SIZE_EXCEEDED', 'RATE_LIMIT_EXCEEDED'],
  surprise: 'PROCESSING_FAILED',
});

/** C2: accepts one message for a list of recipients; a number given twice is sent once. */
export function sendBulk(deps: EndpointDeps & BulkSender) {
  return endpoint(
    sendBulkOperation,
    deps,
    async ({ callerId, requestId, onceId, limits, body, note, measure }) => {
      const { msisdn: asked, ...content } = body;
      const msisdns = [...new Set(asked)];
      const send = { partnerId: callerId, requestId, onceId, limits, msisdns, contents: [content] };
      const sent = await sendInBulk(deps, send);
      if ('failure' in sent) return sent;
      note({ bulkId: sent.bulkId, recipients: msisdns.length, registered: sent.registered });
      measure(countsOf(sent));
      const byNumber = new Map(sent.messages.map((message) => [message.msisdn, message]));
      return ok(
        asked.map((msisdn) => byNumber.get(msisdn)).filter((message) => message !== undefined),
        sent.headers,
      );
    },
  );
}
