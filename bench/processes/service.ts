// Runs the local service. The arguments are its assembly and its state folder.
import { silentLog } from '../../local/log.ts';
import { startLocalService } from '../../local/service.ts';

const [, , assemblyDir = '', stateDir = ''] = process.argv;

const service = await startLocalService({ port: 0, assemblyDir, stateDir, log: silentLog });
process.send?.({ done: service.endpoints });

async function stop() {
  await service.stop();
  process.exit(0);
}

process.once('SIGTERM', stop);
process.once('disconnect', stop);
