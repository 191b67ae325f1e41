import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

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

/** The engines of the service that runs on this state folder; `undefined` when none does, or one that crashed. */
export async function findRunningService(stateDir: string): Promise<RunningService | undefined> {
  const file = join(stateDir, 'endpoints.json');
  if (!existsSync(file)) return undefined;
  const service = RunningService.parse(JSON.parse(readFileSync(file, 'utf8')));
  const alive = await Promise.all([isListening(service.dynamodb), isListening(service.sqs)]);
  return alive.every(Boolean) ? service : undefined;
}
