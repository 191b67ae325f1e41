import { setTimeout as delay } from 'node:timers/promises';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { receiverStore } from '../../shared/sandbox/receiver-store.ts';
import { takeSandboxCallback } from './take-sandbox-callback.ts';

export const handler = takeSandboxCallback({
  ...endpointDeps({ receivers: receiverStore }),
  waitSeconds: (seconds) => delay(seconds * 1_000),
});
