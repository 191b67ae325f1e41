import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../../local/log.ts';
import { startLocalService } from '../../../local/service.ts';
import { eventually } from '../../../ops/scenario/eventually.ts';
import { placeStore } from '../../../shared/places/place-store.ts';
import { faultLayer } from '../faults/fault-layer.ts';
import { createFaultPlan, type FaultKind, type FaultRates } from '../faults/fault-plan.ts';
import { type Actors, checkInOffer, startActors, syncOffers } from './actors.ts';
import { callApi, newTally, type Tally } from './api-call.ts';
import { checkInFlow, checkInLedger } from './check-in-flow.ts';
import { type Connection, connect } from './connection.ts';
import { drain, type Help } from './drain.ts';
import { type Ledger, merge } from './ledger.ts';
import { readMessageLedgers } from './message-ledgers.ts';
import { placesFlow } from './places-flow.ts';
import { promotionFlow, promotionLedger } from './promotion-flow.ts';
import { phoneCount, pushFlow, registerPhones } from './push-flow.ts';
import { sendBadReceipts } from './receipt-ledger.ts';
import { createRecordingWallet, type RecordingWallet } from './recording-wallet.ts';
import { createRng } from './rng.ts';

export interface FaultRunOptions {
  readonly seed: number;
  /** How long flows run under faults. */
  readonly flowSeconds: number;
  /** How long it may take until the ledger balances. */
  readonly drainSeconds: number;
  readonly maxPlaces: number;
  /** Recipients of pushes, over all partners; each makes two callbacks. */
  readonly recipients: number;
  readonly rates: FaultRates;
  readonly assemblyDir: string;
  readonly progress: (line: string) => void;
}

export interface FaultRunResult {
  readonly ledger: Ledger;
  readonly faults: Readonly<Record<FaultKind, number>>;
  readonly tally: Tally;
  readonly help: Help;
  readonly drainedSeconds: number;
}

/** Failed messages are delivered again within seconds, and waits of half an hour take half a minute. */
const retrySpeed = 60;

const checkInPlaces = ['desk-a', 'desk-b', 'desk-c', 'desk-d'];
const checkInLanes = [0, 1, 2, 3];
/** Of the partners, in the order of their behaviors. */
const shares = [0.35, 0.2, 0.15, 0.2, 0.1];

interface Scene {
  readonly options: FaultRunOptions;
  readonly connection: Connection;
  readonly actors: Actors;
  readonly wallet: RecordingWallet;
  readonly tally: Tally;
}

function healthyOf({ actors }: Scene) {
  const [healthy] = actors.partners;
  if (!healthy) throw new Error('a actors has a healthy partner');
  return healthy;
}

function speakerFor(scene: Scene, offerId?: string) {
  const { login, secret } = healthyOf(scene);
  return { baseUrl: scene.connection.baseUrl, login, secret, ...(offerId ? { offerId } : {}) };
}

async function prepare(scene: Scene): Promise<void> {
  const { connection, actors, wallet, options, tally } = scene;
  await actors.seed(connection.table);
  await wallet.attach(connection, options.seed);
  await registerPhones(connection.baseUrl, phoneCount);
  const places = checkInPlaces.map((itemId) => ({ itemId, placeInfo: { address: 'Arbat 1' } }));
  const partner = { speaker: speakerFor(scene, checkInOffer), tally, persistent: true };
  await callApi(partner, 'POST /places/sync', { places });
  const page = () => placeStore(connection.table).page(checkInOffer, 10);
  await eventually(page, (stored) => stored.places.length === places.length);
}

function checkInParts(scene: Scene, isRunning: () => boolean, lane = 0) {
  return {
    lane,
    offerId: checkInOffer,
    placeIds: checkInPlaces,
    partner: { speaker: speakerFor(scene, checkInOffer), tally: scene.tally },
    wallet: { speaker: { baseUrl: scene.connection.baseUrl }, tally: scene.tally },
    rng: createRng(scene.options.seed, 100 + lane),
    isRunning,
  };
}

/** All flows side by side, until the time is over. */
async function runFlows(scene: Scene) {
  const { options, connection, actors, tally } = scene;
  const { seed, flowSeconds, maxPlaces, recipients, progress } = options;
  const { baseUrl } = connection;
  const deadline = performance.now() + flowSeconds * 1_000;
  const isRunning = () => performance.now() < deadline;
  const report = setInterval(() => {
    const left = Math.max(0, Math.round((deadline - performance.now()) / 1_000));
    progress(
      `flows: ${tally.requests} requests, ${scene.wallet.record.shown.size} pushes shown, ${left} s to go`,
    );
  }, 5_000);
  const paceMs = Math.max(50, (flowSeconds * 1_000) / 60);
  try {
    const [places, checkIns, promotions, pushes] = await Promise.all([
      Promise.all(
        syncOffers.map((offerId, n) => {
          const caller = { speaker: speakerFor(scene, offerId), tally };
          return placesFlow({ offerId, connection, caller, rng: createRng(seed, n), maxPlaces, isRunning });
        }),
      ),
      Promise.all(checkInLanes.map((lane) => checkInFlow(checkInParts(scene, isRunning, lane)))),
      promotionFlow({ caller: { speaker: speakerFor(scene), tally }, rng: createRng(seed, 20), isRunning }),
      Promise.all(
        actors.partners.map((partner, n) => {
          const count = Math.ceil(recipients * (shares[n] ?? 0));
          return pushFlow({
            baseUrl,
            partner,
            tally,
            rng: createRng(seed, 30 + n),
            recipients: count,
            isRunning,
            paceMs,
          });
        }),
      ),
    ]);
    return { places: merged(places), checkIns: checkIns.flat(), promotions, pushes: pushes.flat() };
  } finally {
    clearInterval(report);
  }
}

/** The ledgers of several offers, as one. */
function merged(ledgers: readonly Ledger[]): Ledger {
  const [first, ...others] = ledgers;
  if (!first) return { entries: [], figures: [] };
  return {
    entries: first.entries.map((line, n) => {
      const all = [line, ...others.flatMap(({ entries }) => entries[n] ?? [])];
      return {
        what: line.what,
        expected: sum(all.map(({ expected }) => expected)),
        found: sum(all.map(({ found }) => found)),
        wrong: all.flatMap(({ wrong }) => wrong),
      };
    }),
    figures: first.figures.map(({ what }, n) => ({
      what,
      value: sum(ledgers.map(({ figures }) => figures[n]?.value ?? 0)),
    })),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** A dead-letter queue that belongs to no queue belongs to a function that follows the stream. */
function isDlqOfStream(name: string, queues: Connection['queues']): boolean {
  return name.endsWith('-dlq') && !(name.replace(/-dlq$/, '') in queues);
}

/** Batches of the stream that were given up: each would be a push or a state that is lost without an operator. */
async function givenUpLedger({ sqs, queues }: Connection): Promise<Ledger> {
  const depths = await Promise.all(
    Object.entries(queues)
      .filter(([name]) => isDlqOfStream(name, queues))
      .map(async ([name, QueueUrl]) => {
        const AttributeNames = ['ApproximateNumberOfMessages'];
        const { Attributes } = await sqs<{ Attributes: Record<string, string> }>('GetQueueAttributes', {
          QueueUrl,
          AttributeNames,
        });
        return { name, depth: Number(Attributes['ApproximateNumberOfMessages']) };
      }),
  );
  const found = sum(depths.map(({ depth }) => depth));
  const wrong = depths.filter(({ depth }) => depth > 0).map(({ name, depth }) => `${name}: ${depth}`);
  return {
    entries: [{ what: 'batches of the stream that were given up', expected: 0, found, wrong }],
    figures: [],
  };
}

/** Runs the service under faults, drains it, and reads the ledger. */
export async function runUnderFaults(options: FaultRunOptions): Promise<FaultRunResult> {
  const { seed, rates, progress, drainSeconds } = options;
  const plan = createFaultPlan({ seed, rates });
  plan.end();
  const folder = mkdtempSync(join(tmpdir(), 'partner-integration-chaos-'));
  const assemblyDir = join(folder, 'assembly');
  // Killed functions are loaded again and again: a build in the meantime must not remove their code.
  cpSync(options.assemblyDir, assemblyDir, { recursive: true });
  const actors = await startActors();
  const wallet = createRecordingWallet();
  const service = await startLocalService({
    port: 0,
    stateDir: join(folder, 'state'),
    assemblyDir,
    retrySpeed,
    interception: faultLayer(plan),
    simulators: false,
    log: silentLog,
  });
  const connection = connect(service.endpoints);
  const tally = newTally();
  try {
    const scene = { options, connection, actors, wallet, tally };
    await prepare(scene);
    plan.begin();
    const { places, checkIns, promotions, pushes } = await runFlows(scene);
    const badReceipts = await sendBadReceipts(connection, pushes);
    plan.end();
    actors.recover();
    progress('faults are off');
    const readLedgers = async () =>
      merge(
        await checkInLedger(
          checkIns,
          checkInParts(scene, () => false),
          connection,
        ),
        await promotionLedger(promotions, healthyOf(scene).partnerId, connection),
        await readMessageLedgers({ scene, pushes, badReceipts }),
        await givenUpLedger(connection),
      );
    const { ledger, help, seconds } = await drain({
      connection,
      partners: actors.partners,
      seconds: drainSeconds,
      readLedgers,
      progress,
    });
    return {
      ledger: merge(places, ledger),
      faults: plan.counts(),
      tally,
      help,
      drainedSeconds: seconds,
    };
  } finally {
    connection.close();
    await wallet.stop();
    await service.stop();
    await actors.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
