import { setTimeout as delay } from 'node:timers/promises';
import { receiverStore } from '../../shared/callbacks/receiver-store.ts';
import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { takeSandboxCallback } from './take-sandbox-callback.ts';

const { table, ...deps } = endpointDeps();
export const handler = takeSandboxCallback({
  ...deps,
  receivers: receiverStore(table),
  waitSeconds: (seconds) => delay(seconds * 1_000),
});
