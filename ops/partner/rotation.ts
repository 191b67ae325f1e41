import { newSecret } from '../../shared/partners/credentials.ts';
import { twoSecretsAdvice } from '../../shared/platform/http/rotation.ts';
import { failure } from '../cli/command-line.ts';
import { shownOnce } from '../cli/formats.ts';
import {
  changedMeanwhile,
  creationTimes,
  effective,
  partnerCommand,
  type Run,
  type Session,
} from './session.ts';

const replaceOption = ['--replace', 'Replace the newer of two secrets: it was lost'] as const;
const loginArgument = ['[login]', 'The key; may be left out where there is only one'] as const;

function twoSteps(group: string, meanwhile: string): string {
  return `A rotation takes two steps:
  1. ${group} rotate <partnerId>   makes the new secret and prints it this once
  2. ${group} retire <partnerId>   when the partner uses the new one
${meanwhile}
A third secret is refused.`;
}

export function keyRotationCommands(run: Run) {
  const details = twoSteps('keys', 'Both secrets work until then. The service stores digests of them only.');
  return [
    partnerCommand('rotate', 'Gives a key of a partner a second secret.', details)
      .argument(...loginArgument)
      .option(...replaceOption)
      .action(run(rotateKey)),
    partnerCommand('retire', 'Ends the older of two secrets of a key.', details)
      .argument(...loginArgument)
      .action(run(retireKey)),
  ];
}

export function signingRotationCommands(run: Run) {
  const details = twoSteps(
    'callback',
    'Callbacks carry both signatures until then. The service stores the secrets as they are: it signs with them.',
  );
  return [
    partnerCommand('rotate', 'Signs callbacks with a second secret too.', details)
      .option(...replaceOption)
      .action(run(rotateSigningSecret)),
    partnerCommand('retire', 'Ends the older of two signing secrets.', details).action(
      run(retireSigningSecret),
    ),
  ];
}

type Rotation = { replace?: true | undefined };

async function rotateKey(session: Session, partnerId: string, named: string | undefined, how: Rotation) {
  const key = await session.findKey(partnerId, named);
  const { login } = key;
  const { secret, stored } = newSecret(login, session);
  const rotated = await session.keys.rotate(key, stored, { ...how, atMs: stored.createdAt });
  if (rotated === 'two secrets') throw twoAlready(`${login} has two secrets`);
  if (rotated !== 'done') throw changedMeanwhile(partnerId);
  const hadTwo = key.secrets.length > 1;
  const added = hadTwo
    ? `The newer secret of ${login} is ended. ${effective.atGateway} The one in its place works at once.`
    : `${login} has a second secret. It works at once, and the first one goes on working.`;
  const text = `${added}

${shownOnce({ Login: login, Secret: secret })}

When ${partnerId} has changed over: ${session.toRun(`keys retire ${partnerId} ${login}`)}`;
  return { text, json: { partnerId, login, secret, secrets: 2 } };
}

async function retireKey(session: Session, partnerId: string, named: string | undefined) {
  const key = await session.findKey(partnerId, named);
  const { login } = key;
  const ended = await confirmRetirement(session, partnerId, { name: `secret of ${login}`, of: key.secrets });
  if ((await session.keys.retire(key, { atMs: session.clock.now() })) !== 'done')
    throw changedMeanwhile(partnerId);
  return { text: `${ended} ${effective.atGateway}`, json: { partnerId, login, secrets: 1 } };
}

async function rotateSigningSecret(session: Session, partnerId: string, { replace }: Rotation) {
  const { settings, operator: by } = session;
  const { outcome, signingSecret } = await settings.rotate(partnerId, { by, replace });
  if (outcome === 'not set') throw await session.noEndpoint(partnerId);
  if (outcome === 'two secrets') throw twoAlready(`${partnerId} has two signing secrets`);
  const text = `Callbacks of ${partnerId} carry a second signature. ${effective.atWorkers}

${shownOnce({ 'Signing secret': signingSecret })}

When ${partnerId} verifies with it: ${session.toRun(`callback retire ${partnerId}`)}`;
  return { text, json: { partnerId, signingSecret, signingSecrets: 2 } };
}

async function retireSigningSecret(session: Session, partnerId: string) {
  const { signingSecrets: of } = await session.findEndpoint(partnerId);
  const ended = await confirmRetirement(session, partnerId, { name: `signing secret of ${partnerId}`, of });
  const retired = await session.settings.retire(partnerId, session.operator, of.at(-1)?.createdAt);
  if (retired !== 'done') throw changedMeanwhile(partnerId);
  return { text: `${ended} ${effective.atWorkers}`, json: { partnerId, signingSecrets: 1 } };
}

function twoAlready(subject: string) {
  return failure(`${subject} already: ${twoSecretsAdvice('with --replace')}.`);
}

type Secrets = { name: string; of: readonly { createdAt: number }[] };

/** Prompts before the older of two secrets ends, and returns the sentence that it has ended. */
async function confirmRetirement(session: Session, partnerId: string, { name, of }: Secrets) {
  const [older, newer] = creationTimes(of);
  if (newer === undefined) throw failure(`There is one ${name} only: rotate first.`);
  const consequence = `The ${name} created ${older} will not work any more; the one created ${newer} stays.`;
  await session.confirm(partnerId, consequence);
  return `The ${name} created ${older} is ended.`;
}
