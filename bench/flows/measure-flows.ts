import { type Consumption, sumConsumed } from '../../local/engines/consumption.ts';
import { silentLog } from '../../local/log.ts';
import { manyRequests } from '../../local/partners.ts';
import { startLocalService } from '../../local/service.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import type { Rig } from '../rig.ts';
import { flowActors, logFailuresOnly } from './actors.ts';
import type { Flow } from './flows.ts';

const walletPlatform = ['ShowMessages', 'ReportReceipts', 'RemoveMessages'];
/** Functions whose number of invocations varies (a cached verdict, and two that are polled), or that only simulate. */
const uncounted = ['AuthorizePartner', 'GetSync', 'GetDeliveryHistory', ...walletPlatform];
/** The schedule does not run meanwhile: both readers of the stream are invoked for its heartbeat. */
const retrySpeed = 0.001;

export type Measured = { flow: Flow; total: Consumption };

/** Runs the flows one after the other on a new service, built as it is deployed, and counts what they consume. */
export async function measureFlows(flows: readonly Flow[], rig: Partial<Rig> = {}) {
  const { say, assemblyDir = 'cdk.out' } = rig;
  await using running = new AsyncDisposableStack();
  const folder = temporaryFolder('units');
  running.defer(() => folder.remove());
  const options = {
    port: 0,
    stateDir: folder.path,
    assemblyDir,
    log: silentLog,
    limits: manyRequests,
    metered: true,
    retrySpeed,
  };
  const { endpoints, stop, meter } = await startLocalService(options);
  running.defer(stop);
  if (!meter) throw new Error('the service has no meter');
  const actors = flowActors(endpoints);
  await logFailuresOnly(actors);
  const measured: Measured[] = [];
  const taken = async ({ callsBack }: Flow) => {
    const others = callsBack ? uncounted : [...uncounted, 'FanOutStates'];
    return (await meter.taken()).filter(({ functionName }) => !others.includes(functionName));
  };
  for (const flow of flows) {
    say?.(flow.name);
    await flow.before?.(actors);
    await taken(flow);
    await flow.run(actors, meter.hold);
    measured.push({ flow, total: sumConsumed(await taken(flow)) });
  }
  return measured;
}
