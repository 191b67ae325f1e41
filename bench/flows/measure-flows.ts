import { type Consumption, totalOf } from '../../local/engines/consumption.ts';
import { engineMeter, type Taken } from '../../local/engines/engine-meter.ts';
import { silentLog } from '../../local/log.ts';
import { startLocalService } from '../../local/service.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import type { Rig } from '../rig.ts';
import { actorsOf, logFailuresOnly } from './actors.ts';
import type { Flow } from './flows.ts';

/** Functions whose number of invocations varies: a cached verdict, two that are polled, and a schedule. */
const uncounted = ['AuthorizePartner', 'GetSync', 'GetDeliveryHistory', 'ResumeCallbacks'];

/** Runs the flows one after the other on a new service, built as it is deployed, and counts what they consume. */
export async function measureFlows(flows: readonly Flow[], rig: Partial<Rig> = {}) {
  const { say, assemblyDir = 'cdk.out' } = rig;
  await using running = new AsyncDisposableStack();
  const folder = temporaryFolder('units');
  running.defer(() => folder.remove());
  const meter = engineMeter();
  const options = { port: 0, stateDir: folder.path, assemblyDir, log: silentLog, meter };
  const service = await startLocalService(options);
  running.defer(service.stop);
  const actors = actorsOf(service.endpoints);
  await logFailuresOnly(actors);
  const entries: { flow: Flow; total: Consumption }[] = [];
  let called: Taken['called'] = new Map();
  for (const flow of flows) {
    say?.(flow.name);
    await flow.before?.(actors);
    await meter.taken();
    await flow.run(actors, meter.hold);
    const taken = await meter.taken();
    called = taken.called;
    const byFunction = new Map([...taken.byFunction].filter(([name]) => !uncounted.includes(name)));
    entries.push({ flow, total: totalOf(byFunction) });
  }
  return { entries, called };
}

export type Measured = Awaited<ReturnType<typeof measureFlows>>;
