import { silentLog } from '../../local/log.ts';
import { startLocalService } from '../../local/service.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import { type Flow, sceneOf } from './flows.ts';
import { type Consumption, type Ledger, meterLayer, nothing } from './meter-layer.ts';

/** Verdicts are cached, sessions are polled as often as the poller likes, and a schedule runs by the clock. */
const beside = ['AuthorizePartner', 'GetSync', 'ResumeCallbacks'];

export interface Entry {
  readonly flow: Flow;
  readonly total: Consumption;
  readonly byFunction: Ledger;
}

export interface Measured {
  readonly entries: readonly Entry[];
  /** What each function called while all flows ran: `PutItem`, `SendMessageBatch`. */
  readonly called: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Runs the flows one after the other on a service of its own, built as it is deployed, and counts. */
export async function measureFlows(
  flows: readonly Flow[],
  {
    say = () => {},
    assemblyDir = 'cdk.out',
  }: { say?: (progress: string) => void; assemblyDir?: string } = {},
): Promise<Measured> {
  const folder = temporaryFolder('units');
  const meter = meterLayer();
  const service = await startLocalService({
    port: 0,
    stateDir: folder.path,
    assemblyDir,
    log: silentLog,
    interception: meter,
    simulators: { delayMs: 10 },
  });
  try {
    const scene = sceneOf(service);
    const entries: Entry[] = [];
    for (const flow of flows) {
      say(flow.name);
      await flow.before?.(scene);
      await meter.taken();
      await flow.run(scene);
      const counts = (name: string) => flow.only?.includes(name) ?? !beside.includes(name);
      const byFunction = new Map([...(await meter.taken())].filter(([name]) => counts(name)));
      entries.push({ flow, total: sumOf(byFunction), byFunction });
    }
    return { entries, called: meter.called() };
  } finally {
    await service.stop();
    folder.remove();
  }
}

function sumOf(ledger: Ledger): Consumption {
  return [...ledger.values()].reduce(
    (sum, one) => ({
      read: sum.read + one.read,
      write: sum.write + one.write,
      tableCalls: sum.tableCalls + one.tableCalls,
      queueRequests: sum.queueRequests + one.queueRequests,
      invocations: sum.invocations + one.invocations,
    }),
    nothing,
  );
}
