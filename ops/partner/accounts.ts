import { Command } from '@commander-js/extra-typings';
import { failure } from '../../build/command-line.ts';
import { Login, newAccount, OfferId, PartnerId } from '../../shared/partners/account.ts';
import { plainTable } from '../cli/formats.ts';
import { listOf, matching } from '../cli/option-values.ts';
import {
  changedMeanwhile,
  effectiveAtGateway,
  partnerCommand,
  type Run,
  type Session,
  type Yes,
  yesOption,
} from './session.ts';

export function accountCommands(run: Run) {
  return [
    new Command('create')
      .description('Adds a partner with its account and its offers (loyalty programs).')
      .argument('<partnerId>', 'The id of the new partner', matching(PartnerId))
      .requiredOption('--login <login>', 'Login for HTTP Basic', matching(Login))
      .requiredOption('--offer <id>', 'An offer the partner owns; may be repeated', listOf(matching(OfferId)))
      .addHelpText(
        'after',
        `
The secret is generated (256 random bits) and printed this once: the service stores a digest of it only.
An offer of another partner, or a partnerId or login that exists, is refused, and then nothing is added.
It takes 98 offers at most: offers add gives it more.`,
      )
      .action(run(create)),
    new Command('list').description('Lists all partners.').action(run(list)),
    partnerCommand('disable', 'Refuses every request of a partner, until it is enabled.')
      .addOption(yesOption)
      .addHelpText(
        'after',
        '\nIts data stays. Callbacks of accepted messages go on: callback disable stops them.',
      )
      .action(run(disable)),
    partnerCommand('enable', 'Takes requests of a disabled partner again.').action(
      run((session, partnerId) => setDisabled(session, partnerId, false)),
    ),
  ];
}

async function create(
  { partners, ids, clock }: Session,
  partnerId: string,
  { login, offer }: { login: string; offer: string[] },
) {
  const offerIds = [...new Set(offer)];
  const secret = ids.token(32);
  const creation = await partners.create(newAccount({ partnerId, login, offerIds }, secret, clock.now()));
  if (creation.outcome === 'taken') {
    const taken = {
      partner: `Partner ${partnerId} exists already`,
      login: `Login ${login} belongs to another partner`,
      offer: `Offer ${creation.offerId} belongs to another partner`,
    };
    throw failure(`${taken[creation.what]}: nothing was added.`);
  }
  return {
    text: `Partner ${partnerId} is created, with login ${login} and offer ${offerIds.join(', ')}.

  Secret  ${secret}

This is the only time it is shown: the service keeps a digest. Hand it over where nobody else reads it.`,
    json: { partnerId, login, offerIds, secret },
  };
}

async function list(session: Session) {
  const accounts = await session.partners.list();
  const partners = accounts.map(({ partnerId, login, disabled, offerIds, secrets }) => {
    return { partnerId, login, disabled, offerIds, secrets: secrets.length };
  });
  const rows = partners.map(({ partnerId, login, disabled, secrets, offerIds }) => {
    return [partnerId, login, disabled ? 'disabled' : 'enabled', String(secrets), offerIds.join(', ')];
  });
  const none = 'There are no partners yet: the command create adds one.';
  return {
    text: rows.length > 0 ? plainTable(['PARTNER', 'LOGIN', 'STATE', 'SECRETS', 'OFFERS'], rows) : none,
    json: { partners },
  };
}

async function disable(session: Session, partnerId: string, { yes }: Yes) {
  await session.findPartner(partnerId);
  await session.confirm({ partnerId, yes }, `Every request of ${partnerId} will be refused.`);
  return setDisabled(session, partnerId, true);
}

async function setDisabled(session: Session, partnerId: string, disabled: boolean) {
  await session.findPartner(partnerId);
  if (!(await session.partners.setDisabled(partnerId, disabled))) throw changedMeanwhile(partnerId);
  return {
    text: `${partnerId} is ${disabled ? 'disabled' : 'enabled'}. ${effectiveAtGateway}`,
    json: { partnerId, disabled },
  };
}
