import { setTimeout as delay } from 'node:timers/promises';
import { receiverStore } from '../../shared/callbacks/receiver-store.ts';
import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { takeSandboxCallback } from './take-sandbox-callback.ts';

export const handler = takeSandboxCallback({
  ...endpointDeps({ receivers: receiverStore }),
  waitSeconds: (seconds) => delay(seconds * 1_000),
});
