import * as z from 'zod/mini';
import { failure, usageError } from '../../build/command-line.ts';
import { readEndpoints } from '../../local/running-service.ts';
import type { ClientCertificate } from './mutual-tls-fetch.ts';
import { isOfThisMachine, type SmokeOptions } from './program.ts';

/** The service to try, and the partner to try it as. */
export interface Stage extends z.infer<typeof Partner> {
  /** The region to sign the wallet's requests for. Absent on loopback, where its routes are open, and with --sandbox. */
  readonly region?: string;
  /** The client certificate for an address with mutual TLS. */
  readonly certificate?: ClientCertificate;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Finds the stage: a deployed one with the environment's credentials, or the local service with its own. */
export function stageOf({ baseUrl, state, sandbox }: SmokeOptions, env: Environment): Stage {
  const local = readEndpoints(state, Partner);
  if (baseUrl && !(local && isLocal(baseUrl, local, env))) return deployedStage(baseUrl, env, sandbox);
  const advice = 'start it with npm start, or name another with --base-url';
  if (!local) throw failure(`The service does not run on ${state}: ${advice}.`);
  if (local.whyNoSecret !== undefined) throw failure(local.whyNoSecret);
  return local;
}

const Partner = z.object({
  baseUrl: z.string(),
  login: z.string(),
  secret: z.string(),
  offerId: z.string(),
  whyNoSecret: z.optional(z.string()),
});

/** True if the local service runs at this address and the environment names no other partner. */
function isLocal(baseUrl: URL, local: Stage, env: Environment): boolean {
  if (credentialNames.some((name) => env[name])) return false;
  return addressOf(new URL(local.baseUrl)) === addressOf(baseUrl);
}

/** Treats localhost as 127.0.0.1, where the local service listens. */
function addressOf({ protocol, hostname, port, pathname }: URL): string {
  return [protocol, hostname === 'localhost' ? '127.0.0.1' : hostname, port, pathname].join(' ');
}

const credentialNames = ['SMOKE_LOGIN', 'SMOKE_SECRET', 'SMOKE_OFFER_ID'] as const;

function deployedStage(baseUrl: URL, env: Environment, sandbox = false): Stage {
  const { SMOKE_LOGIN: login, SMOKE_SECRET: secret, SMOKE_OFFER_ID: offerId } = env;
  if (!login || !secret || !offerId) {
    const missing = credentialNames.filter((name) => !env[name]).join(', ');
    throw usageError(`With --base-url the environment must hold ${missing}: --help says more.`);
  }
  const stage = { baseUrl: baseUrl.href.replace(/\/+$/, ''), login, secret, offerId, ...certificateIn(env) };
  if (isOfThisMachine(baseUrl)) return stage;
  const refused = `SMOKE_OFFER_ID must begin with "smoke", not be "${offerId}": its service points are replaced.`;
  if (!offerId.startsWith('smoke')) throw usageError(refused);
  if (sandbox) return stage;
  return { ...stage, region: regionOf(baseUrl, env) };
}

// A pipeline passes a setting that is not set as an empty text.
function certificateIn(env: Environment): Pick<Stage, 'certificate'> {
  const { SMOKE_CLIENT_CERTIFICATE: cert, SMOKE_CLIENT_KEY: key } = env;
  if (cert && key) return { certificate: { cert, key } };
  if (cert || key)
    throw usageError('SMOKE_CLIENT_CERTIFICATE and SMOKE_CLIENT_KEY go together, one is missing.');
  return {};
}

function regionOf({ hostname }: URL, env: Environment): string {
  const region = /\.execute-api\.([a-z0-9-]+)\.amazonaws\.com$/.exec(hostname)?.[1] ?? env['AWS_REGION'];
  if (region) return region;
  throw usageError('The address names no region, so AWS_REGION must be set.');
}
