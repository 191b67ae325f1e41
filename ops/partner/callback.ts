import { failure, usageError, wholeNumber } from '../../build/command-line.ts';
import { CallbackLog, type Endpoint } from '../../shared/callbacks/endpoint/endpoint.ts';
import type { EndpointSettingsChange } from '../../shared/callbacks/endpoint/settings.ts';
import { Login } from '../../shared/partners/account.ts';
import { matching, oneOf } from '../cli/option-values.ts';
import type { Terminal } from '../cli/terminal.ts';
import { changedMeanwhile, effectiveAtWorkers, findEndpoint, findPartner } from './lookups.ts';
import { after, group, partnerCommand, type Run, yesOption } from './partner-command.ts';
import { rotateCallbackSecret } from './secrets.ts';
import { confirmPartner, operator, type Report, type Session, type Yes } from './session.ts';

export function callback(run: Run) {
  // Commander keeps both options in one value, the last one typed.
  let loginOptions = 0;
  return group('callback', 'Where and how a partner is called back.', [
    partnerCommand('set', 'Sets where and how a partner is called back.')
      .requiredOption('--url <url>', 'The address that callbacks are posted to')
      .option('--login <login>', 'Login that the partner gave for HTTP Basic', matching(Login))
      .option('--password-stdin', 'Read the password that goes with it from standard input')
      .option('--no-login', 'Send no HTTP Basic any more')
      .option('--timeout-ms <n>', 'How long an attempt may take (default: 15000)', wholeNumber(1, 30_000))
      .option('--log <which>', 'What GET /callbacks lists: failures or all', oneOf(CallbackLog.options))
      .on('option:login', () => (loginOptions += 1))
      .on('option:no-login', () => (loginOptions += 1))
      .addHelpText(
        ...after(`The first time, a signing secret (Standard Webhooks) is generated and printed this once. Changes keep the signing
secrets, and everything that no option names. The service stores signing secret and password as they are, because
it must use them: the table's encryption and rights protect them.
The URL must be https and public, with port 443 or one from 1024 on; the local service takes loopback and http too.`),
      )
      .action((partnerId, { url, login, passwordStdin, timeoutMs, log }) => {
        if (loginOptions > 1) throw usageError('--login and --no-login exclude each other.');
        if ((typeof login === 'string') !== (passwordStdin === true)) {
          throw usageError('--login and --password-stdin go together.');
        }
        return run(setEndpoint)(partnerId, { url, login, timeoutMs, log });
      }),
    partnerCommand('enable', 'Calls a partner back again, and clears the failures of its endpoint.')
      .addHelpText(
        ...after('Callbacks that wait are sent within minutes. Skipped ones: callbacks replay sends them.'),
      )
      .action(run(enable)),
    partnerCommand('disable', 'Sends a partner no callbacks, until they are enabled.')
      .addOption(yesOption)
      .addHelpText(
        ...after(`Nothing is lost: callbacks are kept as skipped for 30 days and can be replayed.`),
      )
      .action(run(disable)),
    rotateCallbackSecret(run),
  ]);
}

/** The login is false when no HTTP Basic is to be sent any more, and absent when it stays as it was. */
type Settings = Omit<EndpointSettingsChange, 'basic'> & { login?: string | boolean | undefined };

async function setEndpoint(
  session: Session,
  partnerId: string,
  { login, ...change }: Settings,
): Promise<Report> {
  await findPartner(session, partnerId);
  const basic =
    typeof login === 'string'
      ? { login, secret: await readPassword(session.terminal) }
      : login === false
        ? null
        : undefined;
  const saved = await session.setEndpoint(partnerId, { ...change, basic }, { by: operator });
  if (saved.outcome === 'url refused') throw usageError(`The URL ${saved.why}: nothing was changed.`);
  if (saved.outcome !== 'saved') throw changedMeanwhile(partnerId);
  return report(saved.endpoint, saved.signingSecret);
}

async function readPassword({ readPiped }: Terminal): Promise<string> {
  if (!readPiped) throw usageError('--password-stdin reads what is piped in: add < file.');
  const password = (await readPiped()).replace(/\r?\n$/, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 7617 forbids control characters in a password.
  if (!/^[^\u0000-\u001f\u007f]{1,512}$/.test(password)) {
    throw usageError('The password must be one line of 1 to 512 characters: nothing was changed.');
  }
  return password;
}

const onlyTime = 'This is the only time it is shown. Hand it over where nobody else reads it.';

function report(
  { partnerId, url, status, basic, timeoutMs, log }: Endpoint,
  signingSecret: string | undefined,
): Report {
  const withBasic = basic ? `, with HTTP Basic as ${basic.login}` : ', without HTTP Basic';
  return {
    text: [
      `${partnerId} is called back at ${url}${withBasic}, ${timeoutMs} ms for an attempt. ${effectiveAtWorkers}`,
      ...(signingSecret === undefined ? [] : [`  Signing secret  ${signingSecret}`, onlyTime]),
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
      log: log ?? null,
      signingSecret,
    },
  };
}

async function enable(session: Session, partnerId: string): Promise<Report> {
  await findEndpoint(session, partnerId);
  if ((await session.settings.enable(partnerId, operator)) !== 'done') throw changedMeanwhile(partnerId);
  return {
    text: `Callbacks of ${partnerId} are enabled. ${effectiveAtWorkers}
What was skipped is kept: npm run partner -- callbacks replay ${partnerId} --skipped`,
    json: { partnerId, status: 'enabled' },
  };
}

async function disable(session: Session, partnerId: string, { yes }: Yes): Promise<Report> {
  const endpoint = await findEndpoint(session, partnerId);
  if (endpoint.status === 'disabled') throw failure(`Callbacks of ${partnerId} are disabled already.`);
  const consequence = `${partnerId} will get no callback about a delivered or opened message.`;
  await confirmPartner(session, { partnerId, yes }, consequence);
  const disabled = await session.settings.disable(partnerId, { reason: 'by an operator', by: operator });
  if (disabled !== 'done') throw changedMeanwhile(partnerId);
  return {
    text: `Callbacks of ${partnerId} are disabled, and kept as skipped for 30 days. ${effectiveAtWorkers}`,
    json: { partnerId, status: 'disabled' },
  };
}
