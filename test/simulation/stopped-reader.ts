import { goesOffAt, readReaderAlarms } from './core/alarms.ts';
import type { Plan } from './plan.ts';
import { type Context, createWorld, startMs } from './world.ts';

/** A reader of the stream that stops, as if its mapping were disabled. */
export type Stopped = 'DispatchMessages' | 'FanOutStates';

const plan: Plan = { seed: 1, hours: 2, calm: true, actions: [], troubles: [], faults: {} };
const hourMs = 3_600_000;

/**
 * Runs a service that nobody uses for two hours. After the first hour a reader of the stream stops. Returns how many
 * minutes later each alarm on the readers goes off.
 */
export async function minutesToAlarm(stopped: Stopped, context: Context): Promise<Record<string, number>> {
  const world = await createWorld(plan, { ...context, forecast: { limits: {}, scale: 1 } });
  const { time, streams } = world;
  const stopsAtMs = startMs + hourMs;
  time.at(stopsAtMs, () => streams.stop(stopped));
  await time.run(startMs + 2 * hourMs);
  await world.drop();
  const span = { fromMs: startMs, toMs: time.now() };
  const alarms = readReaderAlarms('cdk.out').flatMap((alarm) => {
    const data = streams.ages.filter(({ id }) => id === alarm.functionId);
    const atMs = goesOffAt(alarm, data, span);
    return atMs === undefined ? [] : [[alarm.id, (atMs - stopsAtMs) / 60_000] as const];
  });
  return Object.fromEntries(alarms);
}
