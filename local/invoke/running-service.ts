import { join } from 'node:path';
import * as z from 'zod/mini';
import { readJsonFile } from '../json-file.ts';

const RunningService = z.object({
  dynamodb: z.string(),
  sqs: z.string(),
  retrySpeed: z._default(z.number(), 1),
  namePrefix: z._default(z.string(), ''),
});
export type RunningService = z.infer<typeof RunningService>;

function isListening(endpoint: string): Promise<boolean> {
  return fetch(endpoint).then(
    () => true,
    () => false,
  );
}

/** The engines of the service that runs on this state folder; `undefined` if none runs, or if it crashed. */
export async function findRunningService(stateDir: string): Promise<RunningService | undefined> {
  const otherwise = 'does not say where a service runs: delete it.';
  const service = readJsonFile(join(stateDir, 'endpoints.json'), RunningService, otherwise);
  if (!service) return undefined;
  const alive = await Promise.all([isListening(service.dynamodb), isListening(service.sqs)]);
  return alive.every(Boolean) ? service : undefined;
}
