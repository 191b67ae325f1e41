import { readArguments } from '../../infra/arguments.ts';
import type { ClientCertificate } from './certified-fetch.ts';
import { type LocalPartner, localPartner } from './local-endpoints.ts';

export interface SmokeOptions {
  /** Absent: the local service that runs on the state folder. */
  readonly stage?: DeployedStage;
  readonly stateDir: string;
  readonly push: boolean;
  readonly deadlineSeconds: number;
}

export interface DeployedStage {
  readonly baseUrl: string;
  readonly login: string;
  readonly secret: string;
  readonly offerId: string;
  /** Where the wallet's requests are signed for; absent on loopback, where its routes are open. */
  readonly region?: string;
  /** Shown to an address that wants one (mutual TLS). */
  readonly certificate?: ClientCertificate;
}

export type SmokeCommand =
  | { readonly kind: 'smoke'; readonly options: SmokeOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly sentence: string };

export const help = `Tries a running or deployed service, as a partner and as the wallet platform would, in about 45 steps: a small
list of service points, a check-in, a promotion, push messages, and requests that must be refused.

npm run smoke -- [options]

  --base-url <url>         The service to try; without it, the local one that npm start runs
  --no-push                Send no push message, and say of no phone that it has the wallet
  --deadline-seconds <n>   Longest wait for one answer, or for one session to finish (default 60)
  --state <folder>         State folder of the local service (default .local)
  --help                   Show this text

With --base-url the partner's credentials come from the environment, never from the command line:

  SMOKE_LOGIN, SMOKE_SECRET    Of a partner that is there for this only: its service points are replaced
  SMOKE_OFFER_ID               Its offer, which must begin with "smoke" unless the address is of this machine
  SMOKE_CLIENT_CERTIFICATE,    What to show to a domain with mutual TLS, both as PEM text; left out for others
  SMOKE_CLIENT_KEY

When the address is that of the local service and the first three are not set, its own partner is taken.

An address that is not of this machine must be https, and requests to /wallet are signed for IAM (SigV4), with the
AWS credentials of the usual environment (AWS_PROFILE and so on). The region is read from the address, or else from
AWS_REGION.

What stays: the list of the smoke partner (one service point) and an ended promotion a run. The phones are from the
range 447700900000 to 447700900999, which belongs to nobody; the message to one of them reaches the outbox of the
wallet platform. Callbacks are not tried, and the simulators are not needed.

Exit code: 0 when all steps passed, 1 when one failed, 2 for wrong usage.`;

function mistake(sentence: string): SmokeCommand {
  return { kind: 'mistake', sentence };
}

function parse(args: readonly string[]) {
  return readArguments(args, {
    options: {
      'base-url': { type: 'string' },
      'no-push': { type: 'boolean', default: false },
      'deadline-seconds': { type: 'string', default: '60' },
      state: { type: 'string', default: '.local' },
      help: { type: 'boolean', default: false },
    },
  });
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads what stands behind `npm run smoke --`, and with `--base-url` what the environment says. */
export function readSmokeCommand(args: readonly string[], env: Environment): SmokeCommand {
  const parsed = parse(args);
  if (typeof parsed === 'string') return mistake(`${parsed}: --help lists the options.`);
  const { values } = parsed;
  if (values.help) return { kind: 'help' };
  const deadlineSeconds = Number(values['deadline-seconds']);
  if (!(deadlineSeconds >= 1 && deadlineSeconds <= 600)) {
    return mistake(`--deadline-seconds takes a number from 1 to 600, not "${values['deadline-seconds']}".`);
  }
  const common = { stateDir: values.state, push: !values['no-push'], deadlineSeconds };
  if (values['base-url'] === undefined) return { kind: 'smoke', options: common };
  const stage = readStage(values['base-url'], env, () => localPartner(values.state));
  return typeof stage === 'string' ? mistake(stage) : { kind: 'smoke', options: { ...common, stage } };
}

const loopback = ['127.0.0.1', '[::1]', 'localhost'];

/** The stage to try, or what is wrong with the wish as a sentence. */
function readStage(
  text: string,
  env: Environment,
  running: () => LocalPartner | undefined,
): DeployedStage | string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    return '--base-url takes an address such as https://abc123.execute-api.eu-central-1.amazonaws.com.';
  }
  const here = loopback.includes(url.hostname);
  if (!here && url.protocol !== 'https:')
    return '--base-url must be https: the secret travels with every request.';

  const { SMOKE_LOGIN: login, SMOKE_SECRET: secret, SMOKE_OFFER_ID: offerId } = env;
  const local = here && !login && !secret && !offerId ? running() : undefined;
  if (local && addressOf(new URL(local.baseUrl)) === addressOf(url)) return local;
  if (!login || !secret || !offerId) {
    const missing = ['SMOKE_LOGIN', 'SMOKE_SECRET', 'SMOKE_OFFER_ID'].filter((name) => !env[name]);
    return `With --base-url the environment must hold ${missing.join(', ')}: --help says more.`;
  }
  const certificate = certificateOf(env);
  if (certificate === 'half')
    return 'SMOKE_CLIENT_CERTIFICATE and SMOKE_CLIENT_KEY go together, one is missing.';
  const stage = { baseUrl: url.href.replace(/\/+$/, ''), login, secret, offerId, ...certificate };
  if (here) return stage;
  if (!offerId.startsWith('smoke')) {
    return `SMOKE_OFFER_ID must begin with "smoke", not be "${offerId}": its service points are replaced.`;
  }
  const region = regionOf(url.hostname, env);
  return region ? { ...stage, region } : 'The address names no region, so AWS_REGION must be set.';
}

/** The local service listens on 127.0.0.1, which is also called localhost. */
function addressOf({ protocol, hostname, port, pathname }: URL): string {
  return [protocol, hostname === 'localhost' ? '127.0.0.1' : hostname, port, pathname].join(' ');
}

// What is not set in the settings of a pipeline arrives as an empty text.
function certificateOf(env: Environment): Pick<DeployedStage, 'certificate'> | 'half' {
  const { SMOKE_CLIENT_CERTIFICATE: cert, SMOKE_CLIENT_KEY: key } = env;
  if (cert && key) return { certificate: { cert, key } };
  return cert || key ? 'half' : {};
}

function regionOf(host: string, env: Environment): string | undefined {
  return /\.execute-api\.([a-z0-9-]+)\.amazonaws\.com$/.exec(host)?.[1] ?? env['AWS_REGION'];
}
