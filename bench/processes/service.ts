// The local service. Arguments: its assembly, its state folder, and whether it has simulators.
import { silentLog } from '../../local/log.ts';
import { startLocalService } from '../../local/service.ts';

const [, , assemblyDir = '', stateDir = '', simulators] = process.argv;

const service = await startLocalService({
  port: 0,
  assemblyDir,
  stateDir,
  log: silentLog,
  ...(simulators === 'simulators' ? {} : { simulators: false as const }),
});
process.send?.({ done: service.endpoints });

async function stop() {
  await service.stop();
  process.exit(0);
}

process.once('SIGTERM', stop);
process.once('disconnect', stop);
