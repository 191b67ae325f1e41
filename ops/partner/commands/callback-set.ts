import { Endpoint, newSigningSecret } from '../../../shared/callbacks/endpoint.ts';
import { refusal } from '../../../shared/callbacks/endpoint-address.ts';
import { Login } from '../../../shared/partners/account.ts';
import type { Options } from '../../cli/options.ts';
import { changedMeanwhile, wrongUsage } from '../../cli/stop.ts';
import type { Call, Command } from '../command.ts';
import { atTheWorkers } from '../effect.ts';
import { checked, partnerOf } from '../whom.ts';

const mostTimeoutMs = 30_000;

export const setCallback: Command = {
  name: 'callback set',
  operands: ['partnerId'],
  synopsis: '--url U [--login L --password-stdin | --no-login] [--timeout-ms N]',
  summary: 'Sets where and how a partner is called back.',
  details: `The first time, a signing secret (Standard Webhooks) is generated and printed this once. Changes keep the signing
secrets, and everything that no option names. The service stores signing secret and password as they are, because
it must use them: the table's encryption and rights protect them.
The URL must be https and public, with port 443 or one from 1024 on; the local service takes loopback and http too.`,
  options: {
    url: { value: 'U', text: 'The address that callbacks are posted to' },
    login: { value: 'L', text: 'Login that the partner gave for HTTP Basic' },
    'password-stdin': { text: 'Read the password that goes with it from standard input' },
    'no-login': { text: 'Send no HTTP Basic any more' },
    'timeout-ms': {
      value: 'N',
      text: `How long an attempt may take, ${mostTimeoutMs} at most (default 15000)`,
    },
  },
  run: async (call) => {
    const { options, endpoints, addresses, ids, clock } = call;
    const url = options.text('url');
    const timeoutMs = options.wholeNumber('timeout-ms', 1, mostTimeoutMs);
    if (url === undefined) throw wrongUsage('--url is missing.');
    const refused = refusal(url, addresses);
    if (refused !== undefined) throw wrongUsage(`The URL ${refused}: nothing was changed.`);
    const readLogin = loginReader(options, call.terminal);
    const { partnerId } = await partnerOf(call);
    const basic = await readLogin();
    const { endpoint: seen } = await endpoints.view(partnerId, { consistent: true });
    const { basic: seenBasic, ...others } = seen ?? {
      partnerId,
      status: 'enabled',
      signingSecrets: [newSigningSecret(ids, clock.now())],
    };
    const usedBasic = basic === undefined ? seenBasic : basic;
    const endpoint = Endpoint.parse({
      ...others,
      url,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(usedBasic ? { basic: usedBasic } : {}),
    });
    if (!(await endpoints.replace(endpoint, seen))) throw changedMeanwhile(partnerId);
    return report(endpoint, seen === undefined);
  },
};

type Basic = NonNullable<Endpoint['basic']>;

/** Checks the options at once; the password is read when it is called. Null: none any more. Undefined: as before. */
function loginReader(options: Options, terminal: Call['terminal']): () => Promise<Basic | null | undefined> {
  if (options.has('login') && options.has('no-login')) {
    throw wrongUsage('--login and --no-login exclude each other.');
  }
  if (options.has('login') !== options.has('password-stdin')) {
    throw wrongUsage('--login and --password-stdin go together.');
  }
  if (options.has('no-login')) return async () => null;
  if (!options.has('login')) return async () => undefined;
  const login = checked(Login, '--login', options.text('login'));
  const { readPiped } = terminal;
  if (!readPiped) throw wrongUsage('--password-stdin reads what is piped in: add < file.');
  return async () => {
    const secret = (await readPiped()).replace(/\r?\n$/, '');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 7617 forbids control characters in a password.
    if (!/^[^\u0000-\u001f\u007f]{1,512}$/.test(secret)) {
      throw wrongUsage('The password must be one line of 1 to 512 characters: nothing was changed.');
    }
    return { login, secret };
  };
}

function report({ partnerId, url, status, basic, timeoutMs, signingSecrets }: Endpoint, first: boolean) {
  const signingSecret = first ? signingSecrets[0]?.secret : undefined;
  const withBasic = basic ? `, with HTTP Basic as ${basic.login}` : ', without HTTP Basic';
  return {
    text: [
      `${partnerId} is called back at ${url}${withBasic}, ${timeoutMs} ms for an attempt. ${atTheWorkers}`,
      ...(signingSecret === undefined
        ? []
        : [
            `  Signing secret  ${signingSecret}`,
            'This is the only time it is shown. Hand it over where nobody else reads it.',
          ]),
      ...(status === 'enabled'
        ? []
        : [`It is still disabled: npm run partner -- callback enable ${partnerId}`]),
    ].join('\n\n'),
    json: {
      partnerId,
      url,
      status,
      timeoutMs,
      basicLogin: basic?.login ?? null,
      ...(signingSecret === undefined ? {} : { signingSecret }),
    },
  };
}
