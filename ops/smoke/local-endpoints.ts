import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoints } from '../../local/service.ts';

export type LocalPartner = Pick<Endpoints, 'baseUrl' | 'login' | 'secret' | 'offerId'>;

/** Address and partner of the service that runs on the state folder. */
export function localPartner(stateDir: string): LocalPartner | undefined {
  const file = join(stateDir, 'endpoints.json');
  if (!existsSync(file)) return undefined;
  const { baseUrl, login, secret, offerId } = JSON.parse(readFileSync(file, 'utf8')) as Endpoints;
  return { baseUrl, login, secret, offerId };
}
