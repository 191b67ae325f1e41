import type { Account } from '../../../shared/partners/account.ts';
import { digestOf } from '../../../shared/partners/credentials.ts';
import { writeInstant } from '../../cli/instant.ts';
import { changedMeanwhile, failed } from '../../cli/stop.ts';
import type { Call, Command, Report } from '../command.ts';
import { atTheGateway } from '../effect.ts';
import { ending, endingOptions, rotationDetails } from '../rotation.ts';
import { partnerOf } from '../whom.ts';

export const rotateSecret: Command = {
  name: 'rotate-secret',
  operands: ['partnerId'],
  synopsis: '[--retire | --undo]',
  summary: 'Gives a partner a second secret; with --retire, ends the first.',
  details: rotationDetails(
    'Both secrets work until then. The service stores digests of them only.',
    'rotate-secret',
  ),
  options: endingOptions,
  dangerous: (options) => ending(options) !== undefined,
  run: async (call) => {
    const account = await partnerOf(call);
    const kept = ending(call.options);
    return kept === undefined ? add(call, account) : end(call, account, kept);
  },
};

async function add({ partners, ids, clock }: Call, { partnerId, login }: Account): Promise<Report> {
  const secret = ids.token(32);
  const added = await partners.addSecret(login, {
    digest: digestOf({ login, secret }),
    createdAt: clock.now(),
  });
  if (!added) {
    throw failed(
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

async function end(call: Call, account: Account, kept: 'newest' | 'oldest'): Promise<Report> {
  const { partnerId } = account;
  const [oldest, newest] = [...account.secrets].sort((a, b) => a.createdAt - b.createdAt);
  if (!oldest || !newest) throw failed(`${partnerId} has one live secret only: there is none to end.`);
  const [stays, goes] = kept === 'newest' ? [newest, oldest] : [oldest, newest];
  await call.confirm(
    partnerId,
    `The secret created ${writeInstant(goes.createdAt)} will let nobody in any more; the one created ${writeInstant(stays.createdAt)} stays.`,
  );
  if (!(await call.partners.keepSecret(account, stays))) throw changedMeanwhile(partnerId);
  return {
    text: `The secret created ${writeInstant(goes.createdAt)} is ended. ${atTheGateway}`,
    json: { partnerId, login: account.login, liveSecrets: 1 },
  };
}
