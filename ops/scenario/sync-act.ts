import { gzipSync } from 'node:zlib';
import type { SyncCounts } from '../../shared/places/list-plan.ts';
import { counted } from '../cli/formats.ts';
import type { Actors } from './actors.ts';
import { type Reply, request } from './client.ts';
import { eventually } from './eventually.ts';

/** A list of service points, and the expected counts. */
type SentList = {
  what: string;
  places: readonly unknown[];
  /** The expected counts; missing members are 0. Absent if nothing is checked. */
  counts?: Partial<SyncCounts>;
};

export type SyncScript = {
  lists: readonly SentList[];
  /** Also sends the last list gzipped, as a dry run, under each media type that a partner may use. */
  gzip?: boolean;
};

type Session = {
  sessionId: string;
  status: string;
  errors: { place: unknown; description: string }[];
  counts: SyncCounts;
};

const none: SyncCounts = { received: 0, added: 0, updated: 0, unchanged: 0, removed: 0, rejected: 0 };

/** Leaves exactly one point, whatever was there before. The first list of the script removes it. */
const listOfOne: SentList = {
  what: 'a list of one, to begin with',
  places: [{ itemId: 'opening-soon', placeInfo: { address: 'Opening soon' } }],
};

/** Sends the lists one after the other, and waits until each session is FINISHED. */
export async function syncAct(actors: Actors, { lists, gzip }: SyncScript): Promise<void> {
  const { partner, report, polling } = actors;
  report.act('A partner synchronises its service points');
  for (const { what, places, counts: expected } of [listOfOne, ...lists]) {
    const list = { places, confirmRemovals: places === listOfOne.places };
    const { sessionId } = await report.send<Session>(`${what}: accepted`, partner, 'POST /places/sync', list);
    report.tell('partner', `sends ${what} (${counted(places.length, 'point')})`);

    const isOver = ({ status, body }: Reply) => status !== 200 || (body as Session).status === 'FINISHED';
    const poll = () => request(partner, `GET /places/sync/${sessionId}`);
    const last = eventually(`${what}: FINISHED`, poll, { until: isOver, ...polling });
    const { status, counts, errors } = await report.checkReply<Session>(`${what}: polled`, last);
    report.check(`${what}: FINISHED within ${polling.timeoutSeconds} s`, status, 'FINISHED');
    const figures = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
    report.tell('service', `FINISHED: ${figures.join(', ')}`);
    if (expected) report.check(`${what}: counts`, counts, { ...none, ...expected });
    for (const { description } of errors.slice(0, 5)) report.tell('partner', `rejected: ${description}`);
  }
  if (gzip) await checkGzip(actors, lists.at(-1)?.places ?? []);
}

/**
 * A gateway may take gzip under application/json for text and break it, which the service answers with 400: partners
 * of such a stage send application/octet-stream.
 */
async function checkGzip({ partner, report }: Actors, places: readonly unknown[]): Promise<void> {
  const gzipped = gzipSync(JSON.stringify({ places, dryRun: true }));
  const send = (contentType: string) => request(partner, 'POST /places/sync', gzipped, contentType);
  const bytes = 'application/octet-stream';
  await report.checkReply(`gzip as ${bytes}: this stage takes it`, send(bytes));
  const { status } = await send('application/json');
  const outcome = status === 400 ? `arrives broken, send ${bytes}` : 'this stage takes it too';
  report.check(`gzip as application/json: ${outcome}`, status === 400 ? 200 : status, 200);
}
