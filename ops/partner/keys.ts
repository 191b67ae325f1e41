import { newLogin, newSecret } from '../../shared/partners/credentials.ts';
import { keyFailure, membersOf, NewKeyRequest } from '../../shared/partners/key.ts';
import type { KeyLimitsChange } from '../../shared/partners/key-store.ts';
import { OfferId } from '../../shared/partners/partner-ids.ts';
import type { StoredKey } from '../../shared/partners/partner-rows.ts';
import { Role } from '../../shared/partners/role.ts';
import { formatIssues, parse } from '../../shared/platform/validation/format-issues.ts';
import { failure, usageError } from '../cli/command-line.ts';
import { plainTable, shownOnce } from '../cli/formats.ts';
import { listOf, matching, oneOf } from '../cli/option-values.ts';
import { keyRotationCommands } from './rotation.ts';
import { creationTimes, effective, partnerCommand, type Run, type Session } from './session.ts';

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
      .requiredOption('--role <role>', `${roles.join(', ')} (required)`, oneOf(roles))
      .option('--label <text>', 'What it is for')
      .option(...offerOption, listOf(matching(OfferId)))
      .option(...placeOption, listOf(String))
      .action(run(create)),
    partnerCommand(
      'limit',
      'Limits a key to offers or service points.',
      'A limit that no option names stays, and one that is named is replaced. The command keys list shows the limits.',
    )
      .argument('<login>')
      .option(...offerOption, listOf(matching(OfferId)))
      .option('--no-offer', 'Let it reach all offers; the later one of this and --offer counts')
      .option(...placeOption, listOf(String))
      .option('--no-place', 'Let it reach all service points; the later one of this and --place counts')
      .action((partnerId, login, { offer, place }) => {
        if (offer === undefined && place === undefined)
          throw usageError(
            'It needs --offer, --no-offer, --place or --no-place: the command keys list shows the limits.',
          );
        return run(limit)(partnerId, login, { offer: listOrNone(offer), place: listOrNone(place) });
      }),
    ...keyRotationCommands(run),
    partnerCommand('revoke', 'Ends a key of a partner.').argument('<login>').action(run(revoke)),
  ];
}

async function list(session: Session, partnerId: string) {
  const { keys, table } = shownKeys(await session.listKeys(partnerId));
  return { text: table, json: { partnerId, keys } };
}

/** Keys without their secrets, and a table of them. */
export function shownKeys(stored: readonly StoredKey[]) {
  const keys = stored.map((key) => {
    return { login: key.login, ...membersOf(key), secrets: creationTimes(key.secrets) };
  });
  const rows = keys.map((key) => {
    return [key.login, key.role, key.label ?? '', limitText(key), key.secrets.join(', ')];
  });
  return { keys, table: plainTable(['LOGIN', 'ROLE', 'LABEL', 'LIMITS', 'SECRETS CREATED'], rows) };
}

function limitText({ offerIds, placeIds }: ReturnType<typeof membersOf>): string {
  const limits = Object.entries({ offers: offerIds, places: placeIds });
  const texts = limits.flatMap(([name, ids]) => (ids ? [`${name} ${ids.join(', ')}`] : []));
  return texts.join('; ') || 'none';
}

type Limits = { offer?: string[] | undefined; place?: string[] | undefined };
type Wanted = Limits & { role: Role; label?: string | undefined };

/** Checks a key by the rules for a partner's own request. */
function checked({ offer, place, ...others }: Wanted) {
  const request = parse(NewKeyRequest, { ...others, offerIds: offer, placeIds: place });
  if (!request.success) {
    const sentences = formatIssues(request.error).join('. ');
    throw usageError(`${sentences.replaceAll(/\b(offer|place)Ids(?:\[[\d,-]+\])?:/g, '--$1:')}.`);
  }
  const { offerIds, ...given } = request.data;
  return { ...given, onlyOfferIds: offerIds };
}

async function create(session: Session, partnerId: string, wanted: Wanted) {
  const given = checked(wanted);
  const login = newLogin(partnerId, session.ids.token(16));
  const { secret, stored } = newSecret(login, session);
  const made = await session.keys.create(partnerId, { ...given, login, secret: stored });
  if (made.outcome === 'out of scope')
    throw failure(`An offer does not belong to ${partnerId}: nothing was added.`);
  if (made.outcome === 'unknown') throw await session.notChanged(partnerId);
  if (made.outcome !== 'created') throw refusal(made.outcome, login);
  const members = membersOf(made.key);
  const text = `${partnerId} has one more key, of the role ${given.role}, limits: ${limitText(members)}.`;
  return {
    text: `${text}\n\n${shownOnce({ Login: login, Secret: secret })}`,
    json: { partnerId, login, secret, ...members },
  };
}

/** The value of an option that takes a list: `--no-` makes it false. */
function listOrNone(list: string[] | boolean | undefined): string[] | null | undefined {
  return typeof list === 'boolean' ? null : list;
}

type LimitsChange = { offer: string[] | null | undefined; place: string[] | null | undefined };

async function limit(session: Session, partnerId: string, login: string, { offer, place }: LimitsChange) {
  const { role, offerIds } = await session.findKey(partnerId, login);
  const foreign = offer?.find((offerId) => !offerIds.includes(offerId));
  if (foreign) throw failure(`Offer ${foreign} does not belong to ${partnerId}: nothing was changed.`);
  const given = checked({ role, offer: offer ?? undefined, place: place ?? undefined });
  const change: KeyLimitsChange = {
    onlyOfferIds: offer === null ? null : given.onlyOfferIds,
    placeIds: place === null ? null : given.placeIds,
  };
  const ended = await session.keys.limit(partnerId, { login, ...change }, { atMs: session.clock.now() });
  if (ended !== 'done') throw refusal(ended, login);
  const members = membersOf(await session.findKey(partnerId, login));
  const text = `The limits of ${login}: ${limitText(members)}. ${effective.atGateway}`;
  return { text, json: { partnerId, login, ...members } };
}

async function revoke(session: Session, partnerId: string, login: string) {
  const { role } = await session.findKey(partnerId, login);
  await session.confirm(partnerId, `Every request with ${login} (${role}) will be refused.`);
  const ended = await session.keys.remove(partnerId, login, { atMs: session.clock.now() });
  if (ended !== 'done') throw refusal(ended, login);
  return { text: `${login} is revoked. ${effective.atGateway}`, json: { partnerId, login } };
}

/** Fails with the sentence that the partner's own request would get. */
function refusal(refused: Parameters<typeof keyFailure>[0], login: string) {
  return failure(`${keyFailure(refused, login).errors.join('. ')}.`);
}
