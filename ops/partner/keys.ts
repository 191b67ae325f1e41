import { failure, usageError } from '../../build/command-line.ts';
import { type Account, maxPlaces, OfferId } from '../../shared/partners/account.ts';
import { digestOf } from '../../shared/partners/credentials.ts';
import { keyFailure, membersOf } from '../../shared/partners/key.ts';
import { newLogin } from '../../shared/partners/key-rules.ts';
import { Role } from '../../shared/partners/role.ts';
import { plainTable } from '../cli/formats.ts';
import { listOf, matching, oneOf } from '../cli/option-values.ts';
import type { Run, Session } from './session.ts';
import { confirmedCommand, creationTimes, effective, partnerCommand, report } from './session.ts';

const offerOption = ['--offer <id>', 'Limit it to this offer; may be repeated'] as const;
const placeOption = ['--place <id>', 'Limit it to this service point; may be repeated'] as const;
const roles = Role.options;

export function keyCommands(run: Run) {
  return [
    partnerCommand('list', 'Lists the keys of a partner.').action(run(list)),
    partnerCommand(
      'create',
      'Gives a partner one more key.',
      'The secret is printed this once. Only a cash-desk can be limited to service points.',
    )
      .requiredOption('--role <role>', roles.join(', '), oneOf(roles))
      .option('--label <text>', 'What it is for')
      .option(...offerOption, listOf(matching(OfferId)))
      .option(...placeOption, listOf(String))
      .action(run(create)),
    partnerCommand('limit', 'Limits a key to offers or service points; without options, to nothing.')
      .argument('<login>')
      .option(...offerOption, listOf(matching(OfferId)))
      .option(...placeOption, listOf(String))
      .action(run(limit)),
    confirmedCommand('revoke', 'Ends a key of a partner.').argument('<login>').action(run(revoke)),
  ];
}

/** Finds the partner's key with this login, or without a login its only key. */
export async function findKey(session: Session, partnerId: string, login?: string): Promise<Account> {
  const account = await session.findPartner(partnerId);
  const keys = await session.keys.list(partnerId);
  if (login === undefined && keys.length < 2) return account;
  const key = keys.find((one) => one.login === login);
  if (key) return key;
  if (login !== undefined) throw failure(`${partnerId} has no key "${login}": keys list shows all.`);
  const all = keys.map(({ login, role }) => `${login} (${role})`).join(', ');
  throw failure(`${partnerId} has ${keys.length} keys, add the login of one of them: ${all}.`);
}

async function list(session: Session, partnerId: string) {
  await session.findPartner(partnerId);
  const keys = (await session.keys.list(partnerId)).map((key) => {
    return { login: key.login, ...membersOf(key), secrets: creationTimes(key.secrets) };
  });
  const rows = keys.map((key) => {
    return [key.login, key.role, key.label ?? '', limitText(key), key.secrets.join(', ')];
  });
  const head = ['LOGIN', 'ROLE', 'LABEL', 'LIMITED TO', 'SECRETS CREATED'];
  return report(plainTable(head, rows), { partnerId, keys });
}

function limitText({ offerIds, placeIds }: ReturnType<typeof membersOf>): string {
  const limits = [
    ...(offerIds ? [`offers ${offerIds.join(', ')}`] : []),
    ...(placeIds ? [`places ${placeIds.join(', ')}`] : []),
  ];
  return limits.join('; ') || 'nothing';
}

type Limits = { offer?: string[] | undefined; place?: string[] | undefined };

function checked({ offer, place }: Limits, role: Role) {
  if (place && role !== 'cash-desk') throw usageError('--place is for keys of the role cash-desk.');
  if (place && place.length > maxPlaces) throw usageError(`It takes ${maxPlaces} service points at most.`);
  return { onlyOfferIds: offer && [...new Set(offer)], placeIds: place && [...new Set(place)] };
}

type Wanted = Limits & { role: Role; label?: string | undefined };

async function create(session: Session, partnerId: string, wanted: Wanted) {
  const { keys, ids, clock } = session;
  const { role, label } = wanted;
  const limits = checked(wanted, role);
  await session.findPartner(partnerId);
  const login = newLogin(partnerId, ids.token(16));
  const secret = ids.token(32);
  const stored = { digest: digestOf({ login, secret }), createdAt: clock.now() };
  const made = await keys.create(partnerId, {
    ...{ login, role, ...limits, secret: stored },
    ...(label === undefined ? {} : { label }),
  });
  if (made.outcome === 'out of scope')
    throw failure(`An offer does not belong to ${partnerId}: nothing was added.`);
  if (made.outcome !== 'created') throw refusal(made.outcome, login);
  const members = membersOf(made.key);
  return report(
    `${partnerId} has one more key, of the role ${role}, limited to ${limitText(members)}.

  Login   ${login}
  Secret  ${secret}

This is the only time it is shown: the service keeps a digest.`,
    { partnerId, login, secret, ...members },
  );
}

async function limit(session: Session, partnerId: string, login: string, options: Limits) {
  const { role, offerIds } = await findKey(session, partnerId, login);
  const foreign = options.offer?.find((offerId) => !offerIds.includes(offerId));
  if (foreign) throw failure(`Offer ${foreign} does not belong to ${partnerId}: nothing was changed.`);
  const ended = await session.keys.limit(partnerId, login, checked(options, role));
  if (ended !== 'done') throw refusal(ended, login);
  const members = membersOf(await findKey(session, partnerId, login));
  const text = `${login} is limited to ${limitText(members)}. ${effective.atGateway}`;
  return report(text, { partnerId, login, ...members });
}

async function revoke(session: Session, partnerId: string, login: string) {
  const { role } = await findKey(session, partnerId, login);
  await session.confirm(partnerId, `Every request with ${login} (${role}) will be refused.`);
  const ended = await session.keys.remove(partnerId, login);
  if (ended !== 'done') throw refusal(ended, login);
  return report(`${login} is revoked. ${effective.atGateway}`, { partnerId, login });
}

/** Fails with the sentence that the partner's own request would get. */
function refusal(refused: Parameters<typeof keyFailure>[0], login: string) {
  return failure(`${keyFailure(refused, login).errors.join('. ')}.`);
}
