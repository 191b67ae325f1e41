import { Command } from '@commander-js/extra-typings';
import { usageError } from '../cli/command-line.ts';
import type { ClientCertificate } from './mutual-tls-fetch.ts';

export function smokeProgram() {
  return new Command('npm run smoke --')
    .description(
      `Tries a service, as a partner and as the wallet platform would, in about 60 steps: a small list of service points,
a check-in, a promotion, push messages, a key, and requests that must be refused.`,
    )
    .requiredOption('--base-url <url>', 'The service to try', readBaseUrl)
    .option('--sandbox', 'The stage simulates the wallet platform: use only the key of the partner')
    .option('--no-push', 'Send no push message, and report no phone as having the wallet')
    .addHelpText('after', afterHelp);
}

export type SmokeOptions = ReturnType<ReturnType<typeof smokeProgram>['opts']>;

const afterHelp = `
The partner's credentials come from the environment, never from the command line:

  SMOKE_LOGIN, SMOKE_SECRET    The key of a partner that exists only for this test: its service points are replaced
  SMOKE_OFFER_ID               Its offer, which must begin with "smoke" unless the address is of this machine
  SMOKE_CLIENT_CERTIFICATE,    The certificate and its key, as PEM text, for a domain with mutual TLS
  SMOKE_CLIENT_KEY

An address that is not of this machine must be https, and requests to /wallet are signed for IAM (SigV4), with the
AWS credentials of the usual environment (AWS_PROFILE and so on). The region is read from the address, or else from
AWS_REGION.

What stays: the list of the smoke partner (one service point) and its ended promotions. The phones are from the
range 447700900000 to 447700900999, which belongs to nobody; the message to one of them reaches the outbox of the
wallet platform. Callbacks are not tested, and the simulators are not needed.

With --sandbox no AWS credentials are needed: the partner opens its check-in, adds two phones, opens what one shows, and
is called back at a receiver of its own, which becomes its endpoint meanwhile; an endpoint with HTTP Basic could not be
restored, and is refused.

Exit code: 0 when all steps passed, 1 when one failed, 2 for wrong usage.`;

function readBaseUrl(text: string): URL {
  const url = URL.parse(text);
  // Do not repeat the text, which may contain a password.
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw usageError(
      '--base-url takes an address such as https://abc123.execute-api.eu-central-1.amazonaws.com.',
    );
  if (!isOfThisMachine(url) && url.protocol !== 'https:')
    throw usageError('--base-url must be https: the secret travels with every request.');
  return url;
}

function isOfThisMachine({ hostname }: URL): boolean {
  return ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}

/** The service to try, and the partner to try it as. */
export type Stage = {
  baseUrl: string;
  login: string;
  secret: string;
  offerId: string;
  /** The region to sign the wallet's requests for. Absent on loopback, where its routes are open, and with --sandbox. */
  region?: string;
  /** The client certificate for an address with mutual TLS. */
  certificate?: ClientCertificate;
};

type Environment = Readonly<Record<string, string | undefined>>;

const credentialNames = ['SMOKE_LOGIN', 'SMOKE_SECRET', 'SMOKE_OFFER_ID'] as const;

export function stageOf({ baseUrl, sandbox }: SmokeOptions, env: Environment): Stage {
  const { SMOKE_LOGIN: login, SMOKE_SECRET: secret, SMOKE_OFFER_ID: offerId } = env;
  if (!login || !secret || !offerId) {
    const missing = credentialNames.filter((name) => !env[name]).join(', ');
    throw usageError(`The environment must hold ${missing}: --help says more.`);
  }
  const address = baseUrl.href.replace(/\/+$/, '');
  const stage = { baseUrl: address, login, secret, offerId, ...certificateIn(env) };
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
