import { parentPort, workerData } from 'node:worker_threads';
import { buildApp } from 'fauxqs';
import { openRepairedStores } from './fauxqs-repairs.ts';

const { folder, region } = workerData as { folder: string; region: string };

const { stores, close } = await openRepairedStores(folder);
const app = buildApp({ logger: false, defaultRegion: region, stores });
app.addHook('onClose', (_instance, done) => {
  close();
  done();
});
const address = await app.listen({ port: 0, host: '127.0.0.1' });

parentPort?.on('message', async () => {
  await app.close();
  process.exit(0);
});
parentPort?.postMessage({ port: Number(new URL(address).port) });
