import * as z from 'zod/mini';
import { fail } from '../platform/http/failures.ts';
import { twoSecretsAdvice } from '../platform/http/rotation.ts';
import { described, named } from '../platform/validation/documented.ts';
import { text } from '../platform/validation/text.ts';
import { maxKeys, sendsLimited } from './key-rules.ts';
import type { KeyChange, KeyCreation, Retirement, Rotation } from './key-store.ts';
import { KeyLogin, OfferId } from './partner-ids.ts';
import type { StoredKey } from './partner-rows.ts';
import { Role } from './role.ts';

const maxOffers = 100;

/** A place takes 11 characters in the authorizer's response. */
const maxPlaces = 100;
/** The authorizer reads the row of a login before it knows whether the secret is right, and before any budget. */
const maxPlaceBytes = 4_000;

/** A list without repetitions, which the table would keep. */
function distinct<Item extends z.ZodMiniType<string>>(item: Item, most: number) {
  return z.optional(
    z.array(item).check(
      z.minLength(1),
      z.maxLength(most),
      z.refine((items) => new Set(items).size === items.length, { message: 'must name each once' }),
    ),
  );
}

const members = {
  role: Role,
  label: z.optional(text(1, 100, { description: 'For people' })),
  offerIds: described(
    distinct(OfferId, maxOffers),
    'The loyalty programs the key is limited to; absent: none',
  ),
  placeIds: described(
    distinct(text(1, 128), maxPlaces),
    'The service points a cash desk is limited to, of 4,000 bytes of UTF-8 together; they need not exist yet',
  ),
};

const messagesUnlimited =
  'messages belong to the whole account, a key of the role messages cannot be limited to loyalty programs';

/** A form sends an empty text for what was left out. */
const SentLabel = z
  .optional(
    z.pipe(
      text(0, 100),
      z.transform((label) => label || undefined),
    ),
  )
  .register(z.globalRegistry, {
    description: 'For people; an empty one is none',
    type: 'string',
    maxLength: 100,
  });

export const NewKeyRequest = z
  .object({ ...members, label: SentLabel })
  .check(
    z.refine(({ role, placeIds }) => placeIds === undefined || role === 'cash-desk', {
      message: 'only a key of the role cash-desk can be limited to service points',
      path: ['placeIds'],
    }),
  )
  .check(
    z.refine(({ placeIds = [] }) => Buffer.byteLength(placeIds.join('')) <= maxPlaceBytes, {
      message: 'must have at most 4,000 bytes of UTF-8 together',
      path: ['placeIds'],
    }),
  )
  .check(
    z.refine((key) => !sendsLimited({ role: key.role, onlyOfferIds: key.offerIds }), {
      message: messagesUnlimited,
      path: ['offerIds'],
    }),
  )
  .register(z.globalRegistry, { id: 'NewKeyRequest' });

const LiveSecret = named('LiveSecret', { createdAt: z.iso.datetime() }, 'The secret itself is shown once');

/** The members of a key that responses show, which never include a secret. */
export const Key = named('Key', { login: z.string(), ...members, secrets: z.array(LiveSecret) });

export const MadeKey = named('MadeKey', {
  login: z.string(),
  secret: described(z.nullable(z.string()), 'Shown this once: null in a replay'),
  ...members,
});

export const KeyPath = z.object({ login: KeyLogin });

/** The response to ending a key or secret. It says how long the authorizer's cached verdicts may still accept it. */
export const EndedKey = named('EndedKey', {
  login: z.string(),
  effectiveWithinSeconds: described(
    z.int(),
    'How long requests may still be served, because the gateway caches who was let in',
  ),
});

/** How long the gateway caches the authorizer's verdict. An ended key works for at most this much longer. */
export const authorizerCacheSeconds = 300;

export function endedKey(login: string): z.input<typeof EndedKey> {
  return { login, effectiveWithinSeconds: authorizerCacheSeconds };
}

export function membersOf({ role, label, onlyOfferIds, placeIds }: StoredKey) {
  return { role, label, offerIds: onlyOfferIds, placeIds };
}

export function shownKey(key: StoredKey): z.input<typeof Key> {
  const secrets = key.secrets.map(({ createdAt }) => ({ createdAt: new Date(createdAt).toISOString() }));
  return { login: key.login, ...membersOf(key), secrets };
}

const failures = {
  unknown: (login: string) => fail('KEY_NOT_FOUND', `login: ${login} is not a key of this account`),
  ended: () => fail('ROLE_FORBIDDEN', 'role: this key, or the secret that was used, has ended'),
  'out of scope': () =>
    fail('OFFER_FORBIDDEN', 'offerIds: this key may give out and manage its own loyalty programs only'),
  'last full key': (login: string) =>
    fail('LAST_FULL_KEY', `login: ${login} is the last full key without limits, make another first`),
  'too many': () =>
    fail('KEY_LIMIT_EXCEEDED', `keys: there are ${maxKeys}, which is the most; delete one first`),
  'login taken': () => fail('CHANGED_MEANWHILE', 'login: it was taken at the same moment, send again'),
  'changed meanwhile': (login: string) =>
    fail('CHANGED_MEANWHILE', `login: ${login} was changed at the same moment, look and send again`),
  'two secrets': (login: string) =>
    fail('TWO_SECRETS_ALREADY', `login: ${login} has two secrets already: ${twoSecretsAdvice()}`),
  'one secret': (login: string) =>
    fail('ONE_SECRET_ONLY', `login: ${login} has one secret only, rotate first`),
  'own key': (login: string) =>
    fail('SECRET_IN_USE', `login: this request was made with ${login} itself; make it with another key`),
  'in use': (login: string) =>
    fail(
      'SECRET_IN_USE',
      `login: this request was made with that secret of ${login}; make it with the other one, or with another key`,
    ),
};

type Refused = Exclude<KeyCreation['outcome'] | KeyChange | Rotation | Retirement, 'created' | 'done'>;

/** The failure of a refusal; `login` is the key that was named. */
export function keyFailure<Why extends Refused>(refused: Why, login: string) {
  return failures[refused](login) as ReturnType<(typeof failures)[Why]>;
}
