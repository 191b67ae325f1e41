// Runs the local service. The arguments are its assembly and its state folder.
import { silentLog } from '../../local/log.ts';
import { manyRequests } from '../../local/partners.ts';
import { startLocalService } from '../../local/service.ts';

const [, , assemblyDir = '', stateDir = ''] = process.argv;

const service = await startLocalService({
  port: 0,
  assemblyDir,
  stateDir,
  log: silentLog,
  limits: manyRequests,
});
process.send?.({ done: service.endpoints });

async function stop() {
  await service.stop();
  process.exit(0);
}

process.once('SIGTERM', stop);
process.once('disconnect', stop);
