import type { Actors } from '../scenario/actors.ts';
import { reporter } from '../scenario/reporter.ts';
import { playScenario } from '../scenario/scenario.ts';
import { smokeScript } from '../scenario/smoke-script.ts';
import { cleanUp } from './clean-up.ts';
import { selfServiceAct } from './self-service-act.ts';

export interface SmokeRun {
  readonly push: boolean;
  readonly deadlineSeconds: number;
  readonly print: (line: string) => void;
}

/**
 * Plays the scenario on little data against any stage; with callbacks where the wallet platform is simulated, since
 * they need a receiver that the stage can reach.
 */
export async function runSmoke(
  actors: Pick<Actors, 'partner' | 'wallet' | 'sandbox'>,
  { push, deadlineSeconds, print }: SmokeRun,
): Promise<0 | 1> {
  const adviceIfRefused = ': check SMOKE_LOGIN and SMOKE_SECRET';
  const report = reporter({ print, narrate: false, adviceIfRefused });
  const calls = { onReply: report.onReply, timeoutMs: Math.min(35, deadlineSeconds) * 1_000 };
  const callers = {
    ...actors,
    partner: { ...actors.partner, ...calls },
    ...(actors.wallet ? { wallet: { ...actors.wallet, ...calls } } : {}),
  };
  const { push: messages, ...others } = smokeScript(deadlineSeconds);
  const script = { ...others, ...(push ? { push: messages } : {}) };
  await report.attempt(() => playScenario(callers, script, report));
  await report.attempt(() => selfServiceAct(callers, script.checkIn.place.itemId, report));
  // Also after a failure: what a run has opened must not stay until the next.
  await report.attempt(() => cleanUp(callers, script, report));
  return report.end();
}
