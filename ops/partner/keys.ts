import { Command } from '@commander-js/extra-typings';
import { failure, usageError } from '../../build/command-line.ts';
import { type Account, maxPlaces, OfferId } from '../../shared/partners/account.ts';
import { digestOf } from '../../shared/partners/credentials.ts';
import { keyFailure, membersOf } from '../../shared/partners/key.ts';
import { newLogin } from '../../shared/partners/key-rules.ts';
import { Role } from '../../shared/partners/role.ts';
import { formatTime } from '../cli/iso-time.ts';
import { listOf, matching, oneOf } from '../cli/option-values.ts';
import { plainTable } from '../cli/plain-table.ts';
import { effectiveAtGateway, findKey, findPartner } from './lookups.ts';
import { after, confirmPartner, type Report, type Run, type Session, yesOption } from './session.ts';

const roles = Role.options;

export function listKeys(run: Run) {
  return new Command('list')
    .description('Lists the keys of a partner.')
    .argument('<partnerId>')
    .action((partnerId) => run((session) => list(session, partnerId)));
}

async function list(session: Session, partnerId: string): Promise<Report> {
  await findPartner(session, partnerId);
  const keys = await session.keys.list(partnerId);
  const rows = keys.map((key) => {
    const { login, role, label = '', secrets } = key;
    const made = secrets.map(({ createdAt }) => formatTime(createdAt)).join(', ');
    return [login, role, label, limitText(key), made];
  });
  return {
    text: plainTable(['LOGIN', 'ROLE', 'LABEL', 'LIMITED TO', 'SECRETS CREATED'], rows),
    json: {
      partnerId,
      keys: keys.map((key) => ({
        login: key.login,
        ...membersOf(key),
        secrets: key.secrets.map(({ createdAt }) => formatTime(createdAt)),
      })),
    },
  };
}

function limitText({ onlyOfferIds, placeIds }: Account): string {
  const limits = [
    ...(onlyOfferIds ? [`offers ${onlyOfferIds.join(', ')}`] : []),
    ...(placeIds ? [`places ${placeIds.join(', ')}`] : []),
  ];
  return limits.join('; ') || 'nothing';
}

const offerOption = ['--offer <id>', 'Limit it to this offer; may be repeated'] as const;
const placeOption = ['--place <id>', 'Limit it to this service point; may be repeated'] as const;

type Limits = { offer?: string[] | undefined; place?: string[] | undefined };

export function createKey(run: Run) {
  return new Command('create')
    .description('Gives a partner one more key.')
    .argument('<partnerId>')
    .requiredOption('--role <role>', roles.join(', '), oneOf(roles))
    .option('--label <text>', 'What it is for')
    .option(...offerOption, listOf(matching(OfferId)))
    .option(...placeOption, listOf(String))
    .addHelpText(
      ...after('The secret is printed this once. Only a cash-desk can be limited to service points.'),
    )
    .action((partnerId, { role, label, offer, place }) =>
      run((session) => create(session, partnerId, { role, label, limits: checked({ offer, place }, role) })),
    );
}

function checked({ offer, place }: Limits, role: Role) {
  if (place && role !== 'cash-desk') throw usageError('--place is for keys of the role cash-desk.');
  if (place && place.length > maxPlaces) throw usageError(`It takes ${maxPlaces} service points at most.`);
  return {
    onlyOfferIds: offer && [...new Set(offer)],
    placeIds: place && [...new Set(place)],
  };
}

async function create(
  session: Session,
  partnerId: string,
  { role, label, limits }: { role: Role; label: string | undefined; limits: ReturnType<typeof checked> },
): Promise<Report> {
  const { keys, ids, clock } = session;
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
  return {
    text: `${partnerId} has one more key, of the role ${role}, limited to ${limitText(made.key)}.

  Login   ${login}
  Secret  ${secret}

This is the only time it is shown: the service keeps a digest.`,
    json: { partnerId, login, secret, ...membersOf(made.key) },
  };
}

export function limitKey(run: Run) {
  return new Command('limit')
    .description('Limits a key to offers or service points; without options, to nothing.')
    .argument('<partnerId>')
    .argument('<login>')
    .option(...offerOption, listOf(matching(OfferId)))
    .option(...placeOption, listOf(String))
    .action((partnerId, login, options) => run((session) => limit(session, { partnerId, login }, options)));
}

type KeyRef = { partnerId: string; login: string };

async function limit(session: Session, { partnerId, login }: KeyRef, options: Limits): Promise<Report> {
  const { offerIds } = await findPartner(session, partnerId);
  const { role } = await findKey(session, { partnerId, login });
  const foreign = options.offer?.find((offerId) => !offerIds.includes(offerId));
  if (foreign) throw failure(`Offer ${foreign} does not belong to ${partnerId}: nothing was changed.`);
  const ended = await session.keys.limit(partnerId, login, checked(options, role));
  if (ended !== 'done') throw refusal(ended, login);
  const key = await findKey(session, { partnerId, login });
  return {
    text: `${login} is limited to ${limitText(key)}. ${effectiveAtGateway}`,
    json: { partnerId, login, ...membersOf(key) },
  };
}

export function revokeKey(run: Run) {
  return new Command('revoke')
    .description('Ends a key of a partner.')
    .argument('<partnerId>')
    .argument('<login>')
    .addOption(yesOption)
    .action((partnerId, login, options) =>
      run(async (session) => {
        const { role } = await findKey(session, { partnerId, login });
        const consequence = `Every request with ${login} (${role}) will be refused.`;
        await confirmPartner(session, options, { partnerId, consequence });
        const ended = await session.keys.remove(partnerId, login);
        if (ended !== 'done') throw refusal(ended, login);
        return { text: `${login} is revoked. ${effectiveAtGateway}`, json: { partnerId, login } };
      }),
    );
}

/** In the words that the partner gets. */
function refusal(refused: Parameters<typeof keyFailure>[0], login: string) {
  return failure(`${keyFailure(refused, login).errors.join('. ')}.`);
}
