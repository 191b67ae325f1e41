import { checkInAct } from '../scenario/check-in-act.ts';
import type { Speaker } from '../scenario/client.ts';
import type { Narrator } from '../scenario/narrator.ts';
import { promotionAct } from '../scenario/promotion-act.ts';
import { expectHistory, registerPhones, sendOne } from '../scenario/push-steps.ts';
import { refusalAct } from '../scenario/refusal-act.ts';
import { syncAct } from '../scenario/sync-act.ts';
import { cleanUp } from './clean-up.ts';
import { smokeReport } from './report.ts';
import { checkIn, message, nobodysPhone, phone, promotion, smallLists } from './scripts.ts';

export interface SmokeCast {
  readonly partner: Speaker;
  readonly wallet: Speaker;
}

export interface SmokeRun {
  readonly push: boolean;
  readonly deadlineSeconds: number;
  readonly print: (line: string) => void;
}

/** Plays the demo's acts with a small cast against any stage; 0 when all came out as it should. */
export async function runSmoke(players: SmokeCast, run: SmokeRun): Promise<0 | 1> {
  const report = smokeReport(run.print);
  const heard = { heard: report.heard, timeoutMs: Math.min(35, run.deadlineSeconds) * 1_000 };
  const cast = { partner: { ...players.partner, ...heard }, wallet: { ...players.wallet, ...heard } };
  await report.attempt(() => play(cast, run, report));
  // Also after a failure: what a run has opened must not stay until the next.
  await report.attempt(() => cleanUp(cast, run.push, report));
  return report.end();
}

async function play(cast: SmokeCast, run: SmokeRun, say: Narrator): Promise<void> {
  await syncAct(cast.partner, smallLists(run.deadlineSeconds), say);
  await checkInAct(cast, checkIn(), say);
  await promotionAct(cast, promotion, say);
  if (run.push) await pushSteps(cast, say);
  await refusalAct(cast, 'Nobody else gets in', say);
}

/** Without callbacks: they need a receiver that a deployed stage can reach. */
async function pushSteps({ partner, wallet }: SmokeCast, say: Narrator): Promise<void> {
  say.act('Push messages');
  await registerPhones(wallet, { registered: [phone], unregistered: [nobodysPhone] }, say);
  const sent = await sendOne(partner, message(phone), 'ENQUEUED', say);
  await expectHistory(partner, sent.messageId, ['ENQUEUED'], say);
  const unsent = await sendOne(partner, message(nobodysPhone), 'MSISDN_NOT_REGISTERED', say);
  await expectHistory(partner, unsent.messageId, ['MSISDN_NOT_REGISTERED'], say);
}
