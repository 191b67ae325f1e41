import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../../ops/scenario/eventually.ts';
import { placeStore } from '../../../shared/places/place-store.ts';
import { placesPartition } from '../../../shared/table/keys.ts';
import { type Actors, type ChaosPartner, startActors, syncOffers } from './actors.ts';
import { callApi, newTally, type Tally } from './api-call.ts';
import type { Connection } from './connection.ts';
import { drain } from './drain.ts';
import { type KillableService, killableService } from './killable-service.ts';
import { entry, type Ledger, merge } from './ledger.ts';
import { readMessageLedgers } from './message-ledgers.ts';
import { type PushRequest, phones, registerPhones } from './push-flow.ts';
import { createRecordingWallet, type RecordingWallet } from './recording-wallet.ts';
import { createRng, type Rng } from './rng.ts';

export interface CrashOptions {
  readonly seed: number;
  /** Of the list, and recipients of the bulk send. */
  readonly size: number;
  readonly drainSeconds: number;
  readonly progress: (line: string) => void;
}

export interface CrashResult {
  readonly ledger: Ledger;
  readonly kills: readonly string[];
  readonly drainedSeconds: number;
}

/** Callbacks that wait for a circuit are not tested here: all partners are healthy. */
const retrySpeed = 200;
const timeout = { timeoutSeconds: 240, intervalMs: 100 };

interface Scene {
  readonly options: CrashOptions;
  readonly service: KillableService;
  readonly actors: Actors;
  readonly partner: ChaosPartner;
  readonly wallet: RecordingWallet;
  readonly tally: Tally;
  readonly rng: Rng;
  readonly kills: string[];
  connection: Connection;
}

function speakerFor({ connection, partner: { login, secret } }: Scene, offerId?: string) {
  return {
    baseUrl: connection.baseUrl,
    login,
    secret,
    ...(offerId ? { offerId } : {}),
  };
}

/** Kills the service within the next half second, and starts it again on what it left. */
async function crash(scene: Scene, when: string): Promise<void> {
  await delay(scene.rng.between(0, 500));
  await scene.service.kill();
  scene.kills.push(when);
  scene.options.progress(`killed: ${when}`);
  const startedAt = performance.now();
  scene.connection = await scene.service.start();
  await scene.wallet.attach(scene.connection, scene.options.seed);
  scene.options.progress(`started again after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
}

function placeId(n: number): string {
  return `place-${String(n).padStart(6, '0')}`;
}

/** Ids of an offer's stored points. */
async function storedIds({ connection }: Scene, offerId: string): Promise<string[]> {
  const store = placeStore(connection.table);
  const ids: string[] = [];
  let after: string | undefined = '';
  while (after !== undefined) {
    const { places, lastItemId }: Awaited<ReturnType<typeof store.page>> = await store.page(
      offerId,
      1_000,
      after,
    );
    ids.push(...places.map(({ itemId }) => itemId));
    after = lastItemId;
  }
  return ids;
}

async function crashInSync(scene: Scene): Promise<Ledger> {
  const [offerId] = syncOffers;
  const { size } = scene.options;
  const places = Array.from({ length: size }, (_, n) => ({
    itemId: placeId(n),
    placeInfo: { name: `Point ${n}`, address: 'Tverskaya 7' },
  }));
  const caller = { speaker: speakerFor(scene, offerId), tally: scene.tally, persistent: true };
  const { reply } = await callApi(caller, 'POST /places/sync', { places });
  if (reply?.status !== 200) throw new Error(`a list was answered ${reply?.status} when all was well`);
  const { sessionId } = reply.body as { sessionId: string };
  const some = () => placeStore(scene.connection.table).page(offerId, 1);
  await eventually(some, (page) => page.places.length > 0, timeout);
  await crash(scene, `in the middle of a list of ${size} places`);
  const found = (await scene.connection.rows(placesPartition(offerId))).length;
  scene.options.progress(`${found} of ${size} places were stored then`);
  const session = async () => {
    const { reply: response } = await callApi(
      { speaker: speakerFor(scene, offerId), tally: scene.tally, persistent: true },
      `GET /places/sync/${sessionId}`,
    );
    return response?.body as { status: string; counts: Record<string, number> };
  };
  const { status, counts } = await eventually(session, (one) => one.status === 'FINISHED', timeout);
  const stored = new Set(await storedIds(scene, offerId));
  return {
    entries: [
      entry('the session that was cut off is FINISHED', 1, status === 'FINISHED' ? [] : [sessionId]),
      entry(
        'its places are stored',
        size,
        places.map(({ itemId }) => itemId).filter((id) => !stored.has(id)),
      ),
      { what: 'its counts say added', expected: size, found: counts['added'] ?? 0, wrong: [] },
    ],
    figures: [{ what: 'places stored when the service was killed', value: found }],
  };
}

async function crashInBulk(scene: Scene): Promise<PushRequest> {
  const { partner, tally, wallet, options } = scene;
  const marker = 'bulk';
  const msisdns = phones(options.size);
  const body = {
    pushType: 'SERVICE',
    payload: { title: 'Chaos', message: marker },
    qos: { deliveryStatusNotifications: true },
    msisdn: msisdns,
  };
  const caller = { speaker: speakerFor(scene), tally, persistent: true };
  const outcome = await callApi(caller, 'POST /push/bulk/single', body);
  const elements = outcome.reply?.status === 200 ? (outcome.reply.body as PushRequest['elements']) : [];
  await crash(scene, `after a bulk send to ${options.size} was answered`);
  options.progress(`${wallet.record.shown.size} of them had reached the wallet`);
  const received = async () => partner.received().length;
  await eventually(received, (count) => count > options.size / 10, timeout);
  await crash(scene, 'in the middle of the storm of its callbacks');
  options.progress(`${await received()} callbacks had arrived`);
  return { partnerId: partner.partnerId, marker, kind: 'bulk', msisdns, outcome, elements };
}

/** Kills the whole service with `kill -9` three times, each time in the middle of work, and reads the ledgers. */
export async function runCrashes(options: CrashOptions): Promise<CrashResult> {
  const stateDir = mkdtempSync(join(tmpdir(), 'partner-integration-crash-'));
  const actors = await startActors();
  const wallet = createRecordingWallet();
  const service = killableService(stateDir, retrySpeed);
  try {
    const connection = await service.start();
    const [partner] = actors.partners;
    if (!partner) throw new Error('a actors has a healthy partner');
    const scene: Scene = {
      options,
      service,
      actors,
      partner,
      wallet,
      connection,
      tally: newTally(),
      rng: createRng(options.seed, 200),
      kills: [],
    };
    await actors.seed(connection.table);
    await wallet.attach(connection, options.seed);
    await registerPhones(connection.baseUrl, options.size);
    const places = await crashInSync(scene);
    const pushes = [await crashInBulk(scene)];
    const readLedgers = async () =>
      merge(places, await readMessageLedgers({ scene, pushes, badReceipts: 0 }));
    const { ledger, seconds } = await drain({
      connection: scene.connection,
      partners: actors.partners,
      seconds: options.drainSeconds,
      readLedgers,
      progress: options.progress,
    });
    return { ledger, kills: scene.kills, drainedSeconds: seconds };
  } finally {
    await wallet.stop();
    await service.kill();
    await actors.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
}
