import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAssembly, isStale } from '../build/assembly.ts';
import { flagsOrEnd } from '../infra/arguments.ts';
import { silentLog } from '../local/log.ts';
import { type Endpoints, startLocalService } from '../local/service.ts';
import { barLists } from './scenario/bar-lists.ts';
import { type CheckInScript, checkInAct } from './scenario/check-in-act.ts';
import { moscowBars } from './scenario/data/moscow-bars.ts';
import { type Narrator, narrator } from './scenario/narrator.ts';
import { type PromotionScript, promotionAct } from './scenario/promotion-act.ts';
import { type PushCast, pushAct, recoveryAct } from './scenario/push-act.ts';
import { refusalAct } from './scenario/refusal-act.ts';
import { syncAct } from './scenario/sync-act.ts';

const help = `Tells the story of the service on real data, and ends non-zero at any surprise.

  npm run demo              with the service that npm start runs (it replaces the service points there), or
                            with one of its own when none is running
  npm run demo -- --help    this text`;

type Stage = { endpoints: Endpoints; close: () => Promise<void> };

const assemblyDir = 'cdk.out';

/** Retries a hundred times sooner: the third attempt of a callback comes after 3 s instead of 5 min. */
const quick = 100;

/** The running service, when there is one that answers. */
async function runningService(): Promise<Stage | undefined> {
  if (!existsSync('.local/endpoints.json')) return undefined;
  const endpoints = JSON.parse(readFileSync('.local/endpoints.json', 'utf8')) as Endpoints;
  const responses = await fetch(endpoints.baseUrl).then(
    () => true,
    () => false,
  );
  return responses ? { endpoints, close: async () => {} } : undefined;
}

async function ownService(): Promise<Stage> {
  console.log('No service is running (npm start), so the demo starts one of its own.');
  if (isStale(assemblyDir)) await buildAssembly();
  const stateDir = mkdtempSync(join(tmpdir(), 'partner-integration-demo-'));
  const service = await startLocalService({
    port: 0,
    stateDir,
    assemblyDir,
    retrySpeed: quick,
    log: silentLog,
  });
  const close = async () => {
    await service.stop();
    rmSync(stateDir, { recursive: true, force: true });
  };
  return { endpoints: service.endpoints, close };
}

function checkInAtTheBar(): CheckInScript {
  const bar = moscowBars()[100];
  return {
    title: 'B. A card holder checks in, the cash desk uses the check-in up',
    place: { itemId: bar?.itemId ?? '', name: bar?.placeInfo.name ?? '' },
    cardNumber: `demo-${Date.now()}`,
    desks: 5,
  };
}

const twoForOne: PromotionScript = {
  title: 'D. A partner creates a promotion',
  name: 'Два по цене одного',
  description: {
    sent: '<p>Каждый день <b>до 18:00</b></p><script>alert(1)</script>',
    kept: '<p>Каждый день <b>до 18:00</b></p>',
  },
  discount: '50 %',
  end: { endDate: '2099-12-31T23:59:59+0300', status: 'active' },
};

async function tellStory(): Promise<number> {
  const { endpoints, close } = (await runningService()) ?? (await ownService());
  const { baseUrl } = endpoints;
  const say = narrator();
  const partner = { baseUrl, ...pick(endpoints) };
  const wallet = { baseUrl };
  try {
    await syncAct(partner, barLists(), say);
    const other = { baseUrl, ...pick(endpoints.other) };
    await checkInAct({ partner, wallet, other }, checkInAtTheBar(), say);
    const promoId = await promotionAct({ partner, wallet }, twoForOne, say);
    await tellOfPushes({ partner, wallet }, endpoints, promoId, say);
    await refusalAct({ partner, wallet }, 'F. Nobody else gets in', say);
  } finally {
    await close();
  }
  return say.end();
}

async function tellOfPushes(
  cast: Omit<PushCast, 'receiverUrl'>,
  { partner: receiver, retrySpeed }: Endpoints,
  promoId: number,
  say: Narrator,
): Promise<void> {
  if (!receiver) {
    say.expect('the running service has its simulators (it was started with --no-simulators)', false, true);
    return;
  }
  const receiverUrl = receiver.url;
  await pushAct({ ...cast, receiverUrl }, promoId, say);
  // In real time the second retry comes after five minutes: then the partner of the story fails once.
  await recoveryAct({ ...cast, receiverUrl }, retrySpeed >= quick ? 2 : 1, say);
}

function pick({ login, secret, offerId }: { login: string; secret: string; offerId: string }) {
  return {
    login,
    secret,
    offerId,
  };
}

flagsOrEnd(help);
process.exit(await tellStory());
