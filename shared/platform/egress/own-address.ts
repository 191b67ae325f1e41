import { readEnv } from '../runtime/env.ts';

/** The origins at which this service can be called, and whether it has receivers of callbacks for partners. */
export type OwnService = { origins: readonly string[]; hasReceivers: boolean };

/** This service, as its functions are told; the caller's request knows one origin more. */
export function ownService(): OwnService {
  return { origins: readEnv('OWN_ORIGINS').split(','), hasReceivers: readEnv('WALLET') === 'simulated' };
}

const receiverPath = /^\/sandbox\/callbacks\/[\w.-]+$/;

/**
 * Rule 51: whether a valid URL leads back to this service, where one callback could cause another. Receivers only store
 * what they get.
 */
export function isOwnAddress(address: string, { origins, hasReceivers }: OwnService): boolean {
  const host = hostAndPort(address);
  if (!origins.some((origin) => hostAndPort(origin) === host)) return false;
  return !(hasReceivers && receiverPath.test(new URL(address).pathname));
}

/** URL has already brought the case, the punycode and the default port of a host into one form. */
function hostAndPort(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { hostname, port } = new URL(address);
  return `${hostname.replace(/\.+$/, '')}:${port}`;
}
