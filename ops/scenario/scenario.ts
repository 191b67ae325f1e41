import type { Actors } from './actors.ts';
import { type CheckInScript, checkInAct } from './check-in-act.ts';
import { type PromotionScript, promotionAct } from './promotion-act.ts';
import { type PushScript, pushAct } from './push-act.ts';
import { refusalAct } from './refusal-act.ts';
import { type OwnPhones, sandboxAct } from './sandbox-act.ts';
import { type SyncScript, syncAct } from './sync-act.ts';

/** The data of the scenario, large for a demo, small for a deployed stage. */
export type Script = {
  sync: SyncScript;
  checkIn: CheckInScript;
  promotion: PromotionScript;
  /** Absent if no push message is sent. */
  push?: PushScript;
  sandbox: OwnPhones;
};

/** Plays a day of a partner and the wallet platform: the demo narrates it, the smoke test checks it on any stage. */
export async function playScenario(actors: Actors, script: Script): Promise<void> {
  await syncAct(actors, script.sync);
  await checkInAct(actors, script.checkIn);
  const promoId = await promotionAct(actors, script.promotion);
  if (script.push && actors.wallet) await pushAct(actors, { ...script.push, promoId });
  if (script.push && actors.sandbox) await sandboxAct(actors, script.sandbox);
  await refusalAct(actors);
}
