// The local service, in a process of its own.
import { silentLog } from '../../local/log.ts';
import { startLocalService } from '../../local/service.ts';

const [, , assemblyDir = '', stateDir = ''] = process.argv;

const service = await startLocalService({
  port: 0,
  assemblyDir,
  stateDir,
  log: silentLog,
  simulators: false,
});
process.send?.(service.endpoints);

async function stop() {
  await service.stop();
  process.exit(0);
}

process.on('message', stop);
process.on('disconnect', stop);
