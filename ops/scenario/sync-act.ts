import type { SyncCounts } from '../../shared/places/sync-session.ts';
import { counted } from '../cli/counted.ts';
import { type Caller, request } from './client.ts';
import { eventually, type Polling } from './eventually.ts';
import type { Reporter } from './reporter.ts';

/** A list of service points, and what must come of it. */
type SentList = {
  what: string;
  places: readonly unknown[];
  /** Counts that are not named are 0; without any, none are checked. */
  counts?: Partial<SyncCounts>;
};

export type SyncScript = { lists: readonly SentList[]; polling: Polling };

type Session = {
  sessionId: string;
  status: string;
  errors: { place: unknown; description: string }[];
  counts: SyncCounts;
};

/** One list after the other, each followed until its session is FINISHED. */
export async function syncAct(
  { partner }: { partner: Caller },
  { lists, polling }: SyncScript,
  report: Reporter,
): Promise<void> {
  report.act('A partner synchronises its service points');
  const followSession = async (what: string, sessionId: string): Promise<Session> => {
    const reply = await eventually(
      () => request(partner, `GET /places/sync/${sessionId}`),
      ({ status, body }) => status !== 200 || (body as Session).status === 'FINISHED',
      polling,
    );
    report.checkStatus(`${what}: polled`, reply);
    const session = reply.body as Session;
    report.check(`${what}: FINISHED within ${polling.timeoutSeconds} s`, session.status, 'FINISHED');
    return session;
  };

  for (const { what, places, counts: expected } of lists) {
    const startedAt = performance.now();
    const accepted = await request(partner, 'POST /places/sync', { places });
    report.checkStatus(`${what}: accepted`, accepted);
    const acceptedMs = Math.round(performance.now() - startedAt);
    report.tell(
      'partner',
      `sends ${what} (${counted(places.length, 'point')}): accepted in ${acceptedMs} ms`,
    );

    const { counts, errors } = await followSession(what, (accepted.body as Session).sessionId);
    const ms = Math.round(performance.now() - startedAt);
    const figures = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
    report.tell('service', `FINISHED: ${figures.join(', ')}`);
    report.sum(`sync, ${what}`, `${ms} ms: ${figures.join(', ')}`);
    if (expected) report.check(`${what}: counts`, counts, { ...none, ...expected });
    for (const { description } of errors.slice(0, 5)) report.tell('partner', `rejected: ${description}`);
  }
}

const none: SyncCounts = { received: 0, added: 0, updated: 0, unchanged: 0, removed: 0, rejected: 0 };
