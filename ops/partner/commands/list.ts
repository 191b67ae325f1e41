import { Command } from '@commander-js/extra-typings';
import { plainTable } from '../../cli/plain-table.ts';
import type { Report, Run, Session } from '../session.ts';
import { stateOf } from './show.ts';

export function listPartners(run: Run) {
  return new Command('list').description('Lists all partners.').action(() => run(list));
}

async function list({ partners }: Session): Promise<Report> {
  const accounts = await partners.list();
  const rows = accounts.map((account) => [
    account.partnerId,
    account.login,
    stateOf(account),
    String(account.secrets.length),
    account.offerIds.join(', '),
  ]);
  return {
    text:
      rows.length === 0
        ? 'There are no partners yet: the command create adds one.'
        : plainTable(['PARTNER', 'LOGIN', 'STATE', 'SECRETS', 'OFFERS'], rows),
    json: {
      partners: accounts.map(({ partnerId, login, disabled, offerIds, secrets }) => ({
        partnerId,
        login,
        disabled,
        offerIds,
        secrets: secrets.length,
      })),
    },
  };
}
