import type { Account } from '../../../shared/partners/account.ts';
import { changedMeanwhile } from '../../cli/stop.ts';
import type { Call, Command, Report } from '../command.ts';
import { atTheGateway } from '../effect.ts';
import { partnerOf } from '../whom.ts';

export const disablePartner: Command = {
  name: 'disable',
  operands: ['partnerId'],
  summary: 'Lets a partner in no more, until it is enabled.',
  details: `Its data stays, and so do messages that were accepted: their callbacks go on, unless callback disable stops them.`,
  options: {},
  dangerous: () => true,
  run: async (call) => {
    const account = await partnerOf(call);
    await call.confirm(account.partnerId, `Every request of ${account.partnerId} will be refused.`);
    return version(call, account, true);
  },
};

export const enablePartner: Command = {
  name: 'enable',
  operands: ['partnerId'],
  summary: 'Lets a disabled partner in again.',
  options: {},
  run: async (call) => version(call, await partnerOf(call), false),
};

async function version(
  { partners }: Call,
  { partnerId, login }: Account,
  disabled: boolean,
): Promise<Report> {
  if (!(await partners.setDisabled(login, disabled))) throw changedMeanwhile(partnerId);
  return {
    text: `${partnerId} is ${disabled ? 'disabled' : 'enabled'}. ${atTheGateway}`,
    json: { partnerId, disabled },
  };
}
