import { CallbackState } from '../../shared/callbacks/callback.ts';
import { CallbackLog, CallbackMode, type Endpoint } from '../../shared/callbacks/endpoint/endpoint.ts';
import type { EndpointSettingsChange } from '../../shared/callbacks/endpoint/settings.ts';
import { Login } from '../../shared/partners/partner-ids.ts';
import { failure, type Terminal, usageError } from '../cli/command-line.ts';
import { counted, oneLine, shownOnce } from '../cli/formats.ts';
import { listOf, matching, numberOption, oneOf } from '../cli/option-values.ts';
import { signingRotationCommands } from './rotation.ts';
import { changedMeanwhile, effective, partnerCommand, type Run, type Session } from './session.ts';

const setDetails = `The first time, a signing secret (Standard Webhooks) is generated and printed this once. Changes keep the signing
secrets, and everything that no option names; an address on another server needs the password again, or --no-login.
The service stores signing secret and password as they are, because it must use them: the table's encryption and rights
protect them.
The URL must be https and public, with port 443 or one from 1024 on; the local service takes loopback and http too.`;

export function callbackCommands(run: Run) {
  return [
    partnerCommand('set', 'Sets where and how a partner is called back.', setDetails)
      .option('--url <url>', 'The address that callbacks are posted to; required the first time')
      .option('--mode <mode>', 'post, or feed: the partner reads them itself', oneOf(CallbackMode.options))
      .option('--login <login>', 'Login that the partner gave for HTTP Basic', matching(Login))
      .option('--password-stdin', 'Read the password that goes with it from standard input')
      .option('--no-login', 'Send no HTTP Basic any more; the later one of this and --login counts')
      .addOption(
        numberOption('--timeout-ms <n>', 'How long an attempt may take, 15000 unless set', [1, 30_000]),
      )
      .option('--log <which>', 'What GET /callbacks lists: failures or all', oneOf(CallbackLog.options))
      .addOption(
        numberOption('--max-per-second <n>', 'How many callbacks a second the endpoint takes', [1, 1_000]),
      )
      .option('--no-max-per-second', 'Send callbacks as fast as we can')
      .option(
        '--only <state>',
        `Only about this state: ${CallbackState.options.join(', ')}; may be repeated`,
        listOf(oneOf(CallbackState.options)),
      )
      .option('--no-only', 'Call back about all states')
      .action((partnerId, { passwordStdin, login, maxPerSecond, only, ...others }) => {
        if ((typeof login === 'string') !== (passwordStdin === true))
          throw usageError('--login and --password-stdin go together.');
        const settings = [login, maxPerSecond, only, ...Object.values(others)];
        if (settings.every((setting) => setting === undefined))
          throw usageError('It needs an option that names what to set: --help shows them.');
        return run(setEndpoint)(partnerId, {
          ...others,
          ...(typeof login === 'string' ? { login } : { basic: login === false ? null : undefined }),
          maxPerSecond: typeof maxPerSecond === 'boolean' ? null : maxPerSecond,
          states: typeof only === 'boolean' ? null : only,
        });
      }),
    partnerCommand(
      'enable',
      'Calls a partner back again, and clears the failures of its endpoint.',
      'Callbacks that wait are sent within minutes. Skipped ones: callbacks replay sends them.',
    ).action(run(enable)),
    partnerCommand(
      'disable',
      'Sends a partner no callbacks, until they are enabled.',
      'Nothing is lost: callbacks are kept as skipped for 30 days and can be replayed.',
    ).action(run(disable)),
    ...signingRotationCommands(run),
  ];
}

/** The password that goes with a new login is read from what is piped in. */
type Settings = EndpointSettingsChange & { login?: string | undefined };

async function setEndpoint(session: Session, partnerId: string, { login, ...change }: Settings) {
  await session.findPartner(partnerId);
  const basic = login === undefined ? change.basic : { login, secret: await readPassword(session.terminal) };
  const { operator: by, own } = session;
  const saved = await session.setEndpoint(partnerId, { ...change, basic }, { by, own });
  if ('urlRefused' in saved) throw usageError(`The URL ${saved.urlRefused}: nothing was changed.`);
  if ('basicNeeded' in saved)
    throw usageError(
      'The stored password is for another address: add --login and --password-stdin, or --no-login. Nothing was changed.',
    );
  const { signingSecret } = saved;
  const shown = settingsOf(saved.endpoint);
  const { mode, url, status, timeoutMs, basicLogin, log, maxPerSecond, states } = shown;
  const withBasic = basicLogin === null ? 'without HTTP Basic' : `with HTTP Basic as ${basicLogin}`;
  const stillDisabled = `It is still disabled: ${session.toRun(`callback enable ${partnerId}`)}`;
  const stored = change.url === undefined ? '' : ' The address is stored: --mode post uses it.';
  const paragraphs = [
    mode === 'feed'
      ? `${partnerId} reads its callbacks from the feed.${stored} ${effective.atWorkers}`
      : oneLine(
          `${partnerId} is called back at ${url}, ${withBasic}, ${timeoutMs} ms for an attempt. ${effective.atWorkers}`,
        ),
    ...(log === null || mode === 'feed' ? [] : [`GET /callbacks lists ${listed[log]}.`]),
    ...(maxPerSecond === null ? [] : [`At most ${counted(maxPerSecond, 'callback')} a second.`]),
    ...(change.maxPerSecond === null ? ['No limit of callbacks a second.'] : []),
    ...(states === null ? [] : [`Only about ${states.join(' and ')}.`]),
    ...(change.states === null ? ['About all states.'] : []),
    ...(signingSecret === undefined ? [] : [shownOnce({ 'Signing secret': signingSecret })]),
    ...(status === 'enabled' ? [] : [stillDisabled]),
  ];
  return { text: paragraphs.join('\n\n'), json: { partnerId, ...shown, signingSecret } };
}

const listed = { all: 'all callbacks', failures: 'those that were not delivered at once' } as const;

/** The settings of an endpoint without its secrets. */
export function settingsOf(endpoint: Endpoint) {
  const { mode = 'post', url = null, status, timeoutMs, basic } = endpoint;
  const { log = null, maxPerSecond = null, states = null } = endpoint;
  return { mode, url, status, timeoutMs, basicLogin: basic?.login ?? null, log, maxPerSecond, states };
}

async function readPassword({ readPiped }: Terminal): Promise<string> {
  if (!readPiped) throw usageError('--password-stdin reads what is piped in: add < file.');
  // Some editors write a mark at the start of a file.
  const password = (await readPiped()).replace(/^\ufeff/, '').replace(/\r?\n$/, '');
  // RFC 7617 forbids control characters in a password; U+FFFD stands for bytes that are not UTF-8.
  if (/^[^\p{Cc}\ufffd]{1,512}$/u.test(password)) return password;
  throw usageError('The password must be one line of 1 to 512 characters of UTF-8: nothing was changed.');
}

async function enable(session: Session, partnerId: string) {
  const enabled = await session.settings.enable(partnerId, session.operator);
  if (enabled !== 'done') throw await session.noEndpoint(partnerId);
  const skipped = `What was skipped is kept: ${session.toRun(`callbacks replay ${partnerId} --status skipped`)}`;
  const text = `Callbacks of ${partnerId} are enabled. ${effective.atWorkers}\n${skipped}`;
  return { text, json: { partnerId, status: 'enabled' } };
}

async function disable(session: Session, partnerId: string) {
  const endpoint = await session.findEndpoint(partnerId);
  if (endpoint.status === 'disabled') throw failure(`Callbacks of ${partnerId} are disabled already.`);
  await session.confirm(partnerId, `${partnerId} will get no callback about a delivered or opened message.`);
  const how = { reason: 'by an operator', by: session.operator };
  const disabled = await session.settings.disable(partnerId, how);
  if (disabled !== 'done') throw changedMeanwhile(partnerId);
  const text = `Callbacks of ${partnerId} are disabled, and kept as skipped for 30 days. ${effective.atWorkers}`;
  return { text, json: { partnerId, status: 'disabled' } };
}
