import { failure, usageError } from '../../build/command-line.ts';
import { maxPlaces, OfferId } from '../../shared/partners/account.ts';
import { digestOf } from '../../shared/partners/credentials.ts';
import { keyFailure, membersOf } from '../../shared/partners/key.ts';
import { newLogin } from '../../shared/partners/key-rules.ts';
import { Role } from '../../shared/partners/role.ts';
import { listOf, matching, oneOf } from '../cli/option-values.ts';
import { plainTable } from '../cli/plain-table.ts';
import { creationTimes, effectiveAtGateway, findKey, findPartner } from './lookups.ts';
import { after, group, partnerCommand, type Run, yesOption } from './partner-command.ts';
import { confirmPartner, type Report, type Session, type Yes } from './session.ts';

const roles = Role.options;

export function keys(run: Run) {
  return group('keys', 'The keys of a partner, and what each may do.', [
    partnerCommand('list', 'Lists the keys of a partner.').action(run(list)),
    partnerCommand('create', 'Gives a partner one more key.')
      .requiredOption('--role <role>', roles.join(', '), oneOf(roles))
      .option('--label <text>', 'What it is for')
      .option(...offerOption, listOf(matching(OfferId)))
      .option(...placeOption, listOf(String))
      .addHelpText(
        ...after('The secret is printed this once. Only a cash-desk can be limited to service points.'),
      )
      .action(run(create)),
    partnerCommand('limit', 'Limits a key to offers or service points; without options, to nothing.')
      .argument('<login>')
      .option(...offerOption, listOf(matching(OfferId)))
      .option(...placeOption, listOf(String))
      .action(run(limit)),
    partnerCommand('revoke', 'Ends a key of a partner.')
      .argument('<login>')
      .addOption(yesOption)
      .action(run(revoke)),
  ]);
}

async function list(session: Session, partnerId: string): Promise<Report> {
  await findPartner(session, partnerId);
  const accounts = await session.keys.list(partnerId);
  const keys = accounts.map((key) => {
    return { login: key.login, ...membersOf(key), secrets: creationTimes(key.secrets) };
  });
  const rows = keys.map((key) => {
    return [key.login, key.role, key.label ?? '', limitText(key), key.secrets.join(', ')];
  });
  return {
    text: plainTable(['LOGIN', 'ROLE', 'LABEL', 'LIMITED TO', 'SECRETS CREATED'], rows),
    json: { partnerId, keys },
  };
}

function limitText({ offerIds, placeIds }: ReturnType<typeof membersOf>): string {
  const limits = [
    ...(offerIds ? [`offers ${offerIds.join(', ')}`] : []),
    ...(placeIds ? [`places ${placeIds.join(', ')}`] : []),
  ];
  return limits.join('; ') || 'nothing';
}

const offerOption = ['--offer <id>', 'Limit it to this offer; may be repeated'] as const;
const placeOption = ['--place <id>', 'Limit it to this service point; may be repeated'] as const;

type Limits = { offer?: string[] | undefined; place?: string[] | undefined };

function checked({ offer, place }: Limits, role: Role) {
  if (place && role !== 'cash-desk') throw usageError('--place is for keys of the role cash-desk.');
  if (place && place.length > maxPlaces) throw usageError(`It takes ${maxPlaces} service points at most.`);
  return {
    onlyOfferIds: offer && [...new Set(offer)],
    placeIds: place && [...new Set(place)],
  };
}

type Wanted = Limits & { role: Role; label?: string | undefined };

async function create(session: Session, partnerId: string, wanted: Wanted): Promise<Report> {
  const { keys, ids, clock } = session;
  const { role, label } = wanted;
  const limits = checked(wanted, role);
  await findPartner(session, partnerId);
  const login = newLogin(partnerId, ids.token(16));
  const secret = ids.token(32);
  const digest = digestOf({ login, secret });
  const made = await keys.create(partnerId, {
    login,
    role,
    ...(label === undefined ? {} : { label }),
    ...limits,
    secret: { digest, createdAt: clock.now() },
  });
  if (made.outcome === 'beyond')
    throw failure(`An offer does not belong to ${partnerId}: nothing was added.`);
  if (made.outcome !== 'created') throw refusal(made.outcome, login);
  const members = membersOf(made.key);
  return {
    text: `${partnerId} has one more key, of the role ${role}, limited to ${limitText(members)}.

  Login   ${login}
  Secret  ${secret}

This is the only time it is shown: the service keeps a digest.`,
    json: { partnerId, login, secret, ...members },
  };
}

async function limit(session: Session, partnerId: string, login: string, options: Limits): Promise<Report> {
  const { offerIds } = await findPartner(session, partnerId);
  const { role } = await findKey(session, partnerId, login);
  const foreign = options.offer?.find((offerId) => !offerIds.includes(offerId));
  if (foreign) throw failure(`Offer ${foreign} does not belong to ${partnerId}: nothing was changed.`);
  const ended = await session.keys.limit(partnerId, login, checked(options, role));
  if (ended !== 'done') throw refusal(ended, login);
  const members = membersOf(await findKey(session, partnerId, login));
  return {
    text: `${login} is limited to ${limitText(members)}. ${effectiveAtGateway}`,
    json: { partnerId, login, ...members },
  };
}

async function revoke(session: Session, partnerId: string, login: string, { yes }: Yes): Promise<Report> {
  const { role } = await findKey(session, partnerId, login);
  await confirmPartner(session, { partnerId, yes }, `Every request with ${login} (${role}) will be refused.`);
  const ended = await session.keys.remove(partnerId, login);
  if (ended !== 'done') throw refusal(ended, login);
  return { text: `${login} is revoked. ${effectiveAtGateway}`, json: { partnerId, login } };
}

/** In the words that the partner gets. */
function refusal(refused: Parameters<typeof keyFailure>[0], login: string) {
  return failure(`${keyFailure(refused, login).errors.join('. ')}.`);
}
