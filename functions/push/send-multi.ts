import { partner } from '../../shared/partners/callers.ts';
import { httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { bulkContract, sendInBulk } from '../../shared/push/sending/bulk-send.ts';
import { MultiRequest, refuseBatch } from '../../shared/push/sending/push-request.ts';
import { sendDeps } from '../../shared/push/sending/send-deps.ts';

export const sendMultiOperation = operation({
  id: 'SendMulti',
  contractId: 'C3',
  route: 'POST /push/bulk/multi',
  aliases: ['POST /bulk/multi'],
  caller: partner(['messages']),
  ...bulkContract,
  body: MultiRequest,
  bodyLimit: { gunzippedBytes: 6_000_000, failure: 'BATCH_SIZE_EXCEEDED' },
  batchLimit: (body, { limits }) => refuseBatch(limits, 'multiMessages', body),
});

/** C3: accepts several messages, one recipient each; one invalid message rejects them all. */
export function sendMulti(deps = sendDeps()) {
  return httpHandler(sendMultiOperation, deps, async (call) => {
    const { query, body, addFields } = call;
    const msisdns = body.map(({ msisdn }) => msisdn);
    const contents = body.map(({ msisdn: _recipient, ...content }) => content);
    const sent = await sendInBulk(deps, call, { msisdns, contents, each: true, dryRun: query.dryRun });
    if ('failure' in sent) return sent;
    addFields({ messages: body.length });
    return ok(sent.messages, sent.headers);
  });
}
