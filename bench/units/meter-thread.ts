// An engine's meter in a thread of its own: a bulk send of 10,000 makes a hundred thousand calls, and in the service's
// thread they would wait for each other until the functions gave up.
import { parentPort, workerData } from 'node:worker_threads';
import { startEngineMeter } from '../../local/engines/engine-meter.ts';

const meter = await startEngineMeter(String(workerData), (call) => parentPort?.postMessage({ call }));
parentPort?.postMessage({ endpoint: meter.endpoint });
// Whoever gets this message back has every call that was answered before.
parentPort?.on('message', (mark) => parentPort?.postMessage({ mark }));
