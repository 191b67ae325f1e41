import { Command } from '@commander-js/extra-typings';
import { failure } from '../../../build/command-line.ts';
import type { Account } from '../../../shared/partners/account.ts';
import { digestOf } from '../../../shared/partners/credentials.ts';
import { formatTime } from '../../cli/iso-time.ts';
import { changedMeanwhile, findPartner } from '../lookups.ts';
import { effectiveAtGateway } from '../propagation.ts';
import { keptSecret, retireOption, rotationHelp, undoOption } from '../rotation.ts';
import { confirmPartner, type Report, type Run, type Session, yesOption } from '../session.ts';

export function rotateSecret(run: Run) {
  return new Command('rotate-secret')
    .description('Gives a partner a second secret; with --retire, ends the first.')
    .argument('<partnerId>')
    .addOption(retireOption)
    .addOption(undoOption)
    .addOption(yesOption)
    .addHelpText(
      'after',
      rotationHelp('Both secrets work until then. The service stores digests of them only.', 'rotate-secret'),
    )
    .action((partnerId, options) =>
      run(async (session) => {
        const account = await findPartner(session, partnerId);
        if (keptSecret(options) === undefined) return addSecret(session, account);
        const { kept, ended } = secretsOf(account, keptSecret(options));
        const consequence = `The secret created ${formatTime(ended.createdAt)} will be refused; the one created ${formatTime(kept.createdAt)} stays.`;
        await confirmPartner(session, options, { partnerId, consequence });
        if (!(await session.partners.keepSecret(account, kept))) throw changedMeanwhile(partnerId);
        return {
          text: `The secret created ${formatTime(ended.createdAt)} is ended. ${effectiveAtGateway}`,
          json: { partnerId, login: account.login, liveSecrets: 1 },
        };
      }),
    );
}

async function addSecret({ partners, ids, clock }: Session, { partnerId, login }: Account): Promise<Report> {
  const secret = ids.token(32);
  const added = await partners.addSecret(login, {
    digest: digestOf({ login, secret }),
    createdAt: clock.now(),
  });
  if (!added) {
    throw failure(
      `${partnerId} has two live secrets already: end the older with --retire, or take the newer back with --undo.`,
    );
  }
  return {
    text: `${partnerId} has a second live secret.

  Login   ${login}
  Secret  ${secret}

This is the only time it is shown: the service keeps a digest. It works at once, and the first one goes on
working. When ${partnerId} has changed over: npm run partner -- rotate-secret ${partnerId} --retire`,
    json: { partnerId, login, secret, liveSecrets: 2 },
  };
}

function secretsOf({ partnerId, secrets }: Account, kept: 'newest' | 'oldest' | undefined) {
  const [oldest, newest] = [...secrets].sort((a, b) => a.createdAt - b.createdAt);
  if (!oldest || !newest) throw failure(`${partnerId} has one live secret only: there is none to end.`);
  return kept === 'newest' ? { kept: newest, ended: oldest } : { kept: oldest, ended: newest };
}
