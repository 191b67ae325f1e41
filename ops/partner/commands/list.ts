import { plainTable } from '../../cli/plain-table.ts';
import type { Command } from '../command.ts';
import { stateOf } from './show.ts';

export const listPartners: Command = {
  name: 'list',
  operands: [],
  summary: 'Lists all partners.',
  options: {},
  run: async ({ partners }) => {
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
  },
};
