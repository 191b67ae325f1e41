import { Command } from '@commander-js/extra-typings';
import { usageError, wholeNumber } from '../../build/command-line.ts';
import { stateOption } from '../cli/target.ts';

export function smokeProgram() {
  return new Command('npm run smoke --')
    .description(
      `Tries a running or deployed service, as a partner and as the wallet platform would, in about 55 steps: a small
list of service points, a check-in, a promotion, push messages, a key, and requests that must be refused.`,
    )
    .option('--base-url <url>', 'The service to try, if not the local one that npm start runs', readBaseUrl)
    .option('--sandbox', 'The stage simulates the wallet platform: use only the key of the partner')
    .option('--no-push', 'Send no push message, and report no phone as having the wallet')
    .option('--deadline-seconds <n>', 'The longest wait for a response or a session', wholeNumber(1, 600), 60)
    .addOption(stateOption)
    .addHelpText('after', afterHelp);
}

export type SmokeOptions = ReturnType<ReturnType<typeof smokeProgram>['opts']>;

const afterHelp = `
With --base-url the partner's credentials come from the environment, never from the command line:

  SMOKE_LOGIN, SMOKE_SECRET    The key of a partner that exists only for this test: its service points are replaced
  SMOKE_OFFER_ID               Its offer, which must begin with "smoke" unless the address is of this machine
  SMOKE_CLIENT_CERTIFICATE,    The certificate and its key, as PEM text, for a domain with mutual TLS
  SMOKE_CLIENT_KEY

When the address is that of the local service and the first three are not set, its own partner is used.

An address that is not of this machine must be https, and requests to /wallet are signed for IAM (SigV4), with the
AWS credentials of the usual environment (AWS_PROFILE and so on). The region is read from the address, or else from
AWS_REGION.

What stays: the list of the smoke partner (one service point) and an ended promotion a run. The phones are from the
range 447700900000 to 447700900999, which belongs to nobody; the message to one of them reaches the outbox of the
wallet platform. Callbacks are not tested, and the simulators are not needed.

With --sandbox no AWS credentials are needed: the partner opens its check-in, adds two phones, opens what one shows, and
is called back at a receiver of its own, which becomes its endpoint.

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

export function isOfThisMachine({ hostname }: URL): boolean {
  return ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}
