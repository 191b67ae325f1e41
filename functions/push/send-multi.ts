import { partner } from '../../shared/partners/callers.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { stageRecipients } from '../../shared/push/recipient-store.ts';
import { presentRate } from '../../shared/push/sending/admission.ts';
import { BulkResponse, sendInBulk } from '../../shared/push/sending/bulk-send.ts';
import {
  checkContents,
  MultiRequest,
  refuseBatch,
  sendContract,
} from '../../shared/push/sending/push-request.ts';
import { rateWindow } from '../../shared/push/sending/rate-window.ts';

export const sendMultiOperation = operation({
  id: 'SendMulti',
  contractId: 'C3',
  route: 'POST /push/bulk/multi',
  aliases: ['POST /bulk/multi'],
  caller: partner(['messages']),
  budget: 'heavy',
  ...sendContract,
  body: MultiRequest,
  bodyLimit: { gunzippedBytes: 6_000_000 },
  batchLimit: (body, { limits }) =>
    refuseBatch(limits, 'multiMessages', Array.isArray(body) ? body.length : 0),
  checkPassedOn: checkContents,
  response: BulkResponse,
  failures: ['REQUEST_INVALID', 'BATCH_SIZE_EXCEEDED', 'RATE_LIMIT_EXCEEDED', 'REQUEST_LIMIT_EXCEEDED'],
  unexpectedFailure: 'PROCESSING_FAILED',
  overBudgetStatus: 503,
});

/** C3: accepts several messages, one recipient each; one invalid message rejects them all. */
export function sendMulti(
  deps = httpDeps({ messages: messageStore, rate: rateWindow, recipients: stageRecipients }),
) {
  return httpHandler(
    sendMultiOperation,
    { ...deps, currentHeaders: presentRate(deps.rate) },
    async (call) => {
      const { query, body, addFields } = call;
      const msisdns = body.map(({ msisdn }) => msisdn);
      const contents = body.map(({ msisdn: _recipient, ...content }) => content);
      const sent = await sendInBulk(deps, call, { msisdns, contents, each: true, dryRun: query.dryRun });
      if ('failure' in sent) return sent;
      addFields({ messages: body.length });
      return ok(sent.messages, sent.headers);
    },
  );
}
