import { addressOf } from '../../../shared/push/message-id.ts';
import { entry, type Ledger } from './ledger.ts';
import { isRegistered, type PushRequest, type SentElement } from './push-flow.ts';
import type { WalletRecord } from './recording-wallet.ts';

function registeredOf({ msisdns }: PushRequest): number {
  return new Set(msisdns.filter(isRegistered)).size;
}

function bulkIdOf(messageId: string): string {
  const address = addressOf(messageId);
  return address?.kind === 'bulk' ? address.bulkId : messageId;
}

/** Elements of a response by messageId: a number given twice has one. */
function told(requests: readonly PushRequest[], state: string): Map<string, SentElement> {
  return new Map(
    requests.flatMap(({ elements }) =>
      elements.filter((element) => element.state === state).map((element) => [element.messageId, element]),
    ),
  );
}

/** Sends in the outbox that no response told a partner of, by request, complete or not. */
function untoldSends(requests: readonly PushRequest[], { shown }: WalletRecord, known: ReadonlySet<string>) {
  const byMarker = new Map(requests.map((request) => [`${request.partnerId} ${request.marker}`, request]));
  const sends = Map.groupBy(
    [...shown].filter(([messageId]) => !known.has(messageId)),
    ([messageId]) => bulkIdOf(messageId),
  );
  const halves: string[] = [];
  const fromNobody: string[] = [];
  let underAnAnsweredKey = 0;
  for (const [id, messages] of sends) {
    const [, first] = messages[0] ?? [];
    const request = byMarker.get(`${first?.partnerId} ${first?.text}`);
    if (!request?.outcome.uncertain) fromNobody.push(id);
    else if (messages.length !== registeredOf(request)) {
      halves.push(`${id}: ${messages.length} of ${registeredOf(request)} recipients of "${request.marker}"`);
    } else if (request.elements.length > 0) underAnAnsweredKey += 1;
  }
  return { sends: sends.size, halves, fromNobody, underAnAnsweredKey };
}

function wrongElements(requests: readonly PushRequest[]): string[] {
  return requests.flatMap(({ elements, msisdns, marker }) => {
    if (elements.length === 0) return [];
    const inOrder = elements.map(({ msisdn }) => msisdn).join() === msisdns.join();
    const states = elements.every(({ msisdn, state }) => (state === 'ENQUEUED') === isRegistered(msisdn));
    return inOrder && states ? [] : [marker];
  });
}

/** Compares what partners were told with what reached the wallet platform. */
export function pushLedger(requests: readonly PushRequest[], wallet: WalletRecord): Ledger {
  const { shown } = wallet;
  const enqueued = told(requests, 'ENQUEUED');
  const refused = told(requests, 'MSISDN_NOT_REGISTERED');
  const missing = [...enqueued].filter(([id, { msisdn }]) => shown.get(id)?.msisdn !== msisdn);
  const shownAnyway = [...refused.keys()].filter((id) => shown.has(id));
  const untold = untoldSends(requests, wallet, new Set(enqueued.keys()));
  const answered = requests.filter(({ elements }) => elements.length > 0);
  return {
    entries: [
      entry('responses give each number its state', answered.length, wrongElements(requests)),
      entry(
        'pushes answered ENQUEUED reached the outbox',
        enqueued.size,
        missing.map(([id]) => id),
      ),
      entry('pushes to unregistered numbers did not reach the outbox', refused.size, shownAnyway),
      entry('sends without a response went out completely or not at all', untold.sends, untold.halves),
      entry('everything in the outbox was sent by a partner', shown.size, untold.fromNobody),
    ],
    figures: [
      { what: 'push requests', value: requests.length },
      { what: 'push requests that were never answered 200', value: requests.length - answered.length },
      {
        what: 'pushes in the outbox more than once',
        value: [...shown.values()].filter(({ times }) => times > 1).length,
      },
      { what: 'sends that a retry under the same key repeated', value: untold.underAnAnsweredKey },
    ],
  };
}
