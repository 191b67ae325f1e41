import { type Consumption, sumConsumed } from '../../local/engines/consumption.ts';
import type { Rig } from '../rig.ts';
import { startActors } from './actors.ts';
import type { Flow } from './flows.ts';

const walletPlatform = ['ShowMessages', 'ReportReceipts', 'RemoveMessages'];
/** Functions whose number of invocations varies (a cached verdict, and two that are polled), or that only simulate. */
const uncounted = ['AuthorizePartner', 'GetSync', 'GetDeliveryHistory', ...walletPlatform];
/** The schedule does not run meanwhile: both readers of the stream are invoked for its heartbeat. */
const retrySpeed = 0.001;

export type Measured = { flow: Flow; total: Consumption };

/** Runs the flows one after the other on a new service, and counts what they consume. */
export async function measureFlows(flows: readonly Flow[], rig: Partial<Rig> = {}) {
  const { say, assemblyDir = 'cdk.out' } = rig;
  await using cleanup = new AsyncDisposableStack();
  const { actors, running } = await startActors(cleanup, { assemblyDir, metered: true, retrySpeed });
  const { meter } = running;
  if (!meter) throw new Error('the service has no meter');
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
