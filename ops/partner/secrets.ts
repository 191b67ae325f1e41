import { Option } from '@commander-js/extra-typings';
import { failure } from '../../build/command-line.ts';
import { digestOf } from '../../shared/partners/credentials.ts';
import { secretsByAge } from '../../shared/partners/key-rules.ts';
import { formatTime } from '../cli/formats.ts';
import { findKey } from './keys.ts';
import { changedMeanwhile, confirmedCommand, effective, type Run, report, type Session } from './session.ts';

/** A command that rotates a secret; `typed` has its arguments: `callback rotate <partnerId>`. */
function rotation(typed: string, description: string, meanwhile: string) {
  const name = typed.replace(/ <.*/, '').replace('callback ', '');
  const details = `A rotation takes two steps:
  1. ${typed}            makes the new secret and prints it this once
  2. ${typed} --retire   when the partner uses the new one
${meanwhile}
A third secret is refused.`;
  const retire = new Option('--retire', 'End the older of two secrets: the partner has changed over');
  return confirmedCommand(name, description, details)
    .addOption(retire.conflicts('undo'))
    .option('--undo', 'End the newer of two secrets: it was lost, or never used');
}

const twoAlready = 'end the older with --retire, or take the newer back with --undo.';
type Rotation = { retire?: true | undefined; undo?: true | undefined };

export function rotateSecretCommand(run: Run) {
  return rotation(
    'rotate-secret <partnerId> [login]',
    'Gives a key of a partner a second secret; with --retire, ends the first.',
    'Both secrets work until then. The service stores digests of them only.',
  )
    .argument('[login]', 'The key; may be left out where there is only one')
    .action(run((session, partnerId, named, how) => rotate(session, { partnerId, named }, how)));
}

async function rotate(
  session: Session,
  { partnerId, named }: { partnerId: string; named: string | undefined },
  { retire, undo }: Rotation,
) {
  const key = await findKey(session, partnerId, named);
  const { login } = key;
  if (!retire && !undo) return addSecret(session, partnerId, login);
  const [oldest, newest] = secretsByAge(key);
  if (!oldest || !newest) throw failure(`${login} has one live secret only: there is none to end.`);
  const { kept, ended } = retire ? { kept: newest, ended: oldest } : { kept: oldest, ended: newest };
  const endedAt = formatTime(ended.createdAt);
  const staying = formatTime(kept.createdAt);
  const consequence = `Of ${login}, the secret created ${endedAt} will be refused; the one created ${staying} stays.`;
  await session.confirm(partnerId, consequence);
  if (!(await session.keys.keepSecret(key, kept))) throw changedMeanwhile(partnerId);
  const text = `The secret of ${login} created ${endedAt} is ended. ${effective.atGateway}`;
  return report(text, { partnerId, login, liveSecrets: 1 });
}

async function addSecret({ keys, ids, clock }: Session, partnerId: string, login: string) {
  const secret = ids.token(32);
  const digest = digestOf({ login, secret });
  if (!(await keys.addSecret(login, { digest, createdAt: clock.now() })))
    throw failure(`${login} has two live secrets already: ${twoAlready}`);
  return report(
    `${login} has a second live secret.

  Login   ${login}
  Secret  ${secret}

This is the only time it is shown: the service keeps a digest. It works at once, and the first one goes on
working. When ${partnerId} has changed over: npm run partner -- rotate-secret ${partnerId} ${login} --retire`,
    { partnerId, login, secret, liveSecrets: 2 },
  );
}

export function rotateSigningCommand(run: Run) {
  return rotation(
    'callback rotate <partnerId>',
    'Signs callbacks with a second secret too; with --retire, ends the first.',
    'Callbacks carry both signatures until then. The service stores the secrets as they are: it signs with them.',
  ).action(run(rotateSigning));
}

async function rotateSigning(session: Session, partnerId: string, how: Rotation) {
  const { signingSecrets } = await session.findEndpoint(partnerId);
  if (!how.retire && !how.undo) return addSigningSecret(session, partnerId);
  if (signingSecrets.length < 2)
    throw failure(`${partnerId} has one signing secret only: there is none to end.`);
  const ended = how.retire ? 'older' : 'newer';
  const consequence = `Callbacks of ${partnerId} will not be signed with the ${ended} secret any more.`;
  await session.confirm(partnerId, consequence);
  const done = await session.settings.retire(partnerId, { ended, by: session.operator });
  if (done !== 'done') throw changedMeanwhile(partnerId);
  const text = `The ${ended} signing secret of ${partnerId} is ended. ${effective.atWorkers}`;
  return report(text, { partnerId, signingSecrets: 1 });
}

async function addSigningSecret(session: Session, partnerId: string) {
  const rotated = await session.settings.rotate(partnerId, session.operator);
  if (rotated.outcome === 'two already')
    throw failure(`${partnerId} has two signing secrets already: ${twoAlready}`);
  if (rotated.outcome !== 'done') throw changedMeanwhile(partnerId);
  const { signingSecret } = rotated;
  return report(
    `Callbacks of ${partnerId} carry a second signature. ${effective.atWorkers}

  Signing secret  ${signingSecret}

This is the only time it is shown. When ${partnerId} verifies with it:
npm run partner -- callback rotate ${partnerId} --retire`,
    { partnerId, signingSecret, signingSecrets: 2 },
  );
}
