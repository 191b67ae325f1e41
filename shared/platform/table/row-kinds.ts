import type { RowKey } from './row-keys/row-key.ts';

/** How to find out which partner a row belongs to: by its key, an attribute, another row, its text, or not at all. */
type Owner = 'partner in key' | 'offer in key' | 'partner in row' | 'its bulk send' | 'its text' | 'nobody';

/** How a row is deleted: by time to live (`expiresAt`), by a function, or when an operator erases the partner. */
type End = 'expires' | 'deleted' | 'stays';

/**
 * Whether a restore writes it back: `if higher` is for counters, which must never give out a number twice, `merged`
 * for rows that only gain attributes, and keep those that came since, `last` for rows by which the service acts on
 * others, which must be there first.
 */
type Restored = 'yes' | 'merged' | 'if higher' | 'last' | 'no';

/**
 * Every kind of row in the table. The pattern is matched with `<pk> <sk>`; its group `owner` is the partnerId or
 * offerId in the key. `docs/operations.md` says why some are not restored.
 */
const declared = [
  ['key', /^ACCOUNT#/, 'partner in row', 'stays', 'yes'],
  ['partner entry', /^PARTNERS (?<owner>.+)$/, 'partner in key', 'stays', 'yes'],
  ['offer', /^OFFER#/, 'partner in row', 'stays', 'yes'],
  ['service point', /^PLACES#(?<owner>[^ ]+) /, 'offer in key', 'deleted', 'yes'],
  ['removal guard', /^HELD#(?<owner>[^ ]+) /, 'offer in key', 'deleted', 'yes'],
  ['sync session', /^SYNC#(?<owner>[^ ]+) /, 'offer in key', 'expires', 'no'],
  ['rejected elements', /^SYNCERRORS#(?<owner>[^#]+)#/, 'offer in key', 'expires', 'no'],
  ['changes of a list', /^SYNCCHANGES#(?<owner>[^#]+)#/, 'offer in key', 'expires', 'no'],
  ['part of a list', /^LIST#(?<owner>[^#]+)#/, 'offer in key', 'expires', 'no'],
  ['check-in counter', /^CHECKINCOUNTER#(?<owner>[^ ]+) /, 'offer in key', 'stays', 'if higher'],
  ['active check-in', /^CHECKINS#(?<owner>[^#]+)#/, 'offer in key', 'expires', 'no'],
  ['check-in by number', /^CHECKIN#(?<owner>[^#]+)#/, 'offer in key', 'expires', 'merged'],
  ['recipient', /^MSISDN#/, 'nobody', 'deleted', 'yes'],
  ['phones', /^PHONES#(?<owner>[^ ]+) /, 'partner in key', 'expires', 'yes'],
  ['message on a phone', /^PHONE#(?<owner>[^#]+)#/, 'partner in key', 'expires', 'yes'],
  ['removed messages', /^REMOVED#/, 'partner in row', 'expires', 'no'],
  ['receiver', /^ENDPOINT#(?<owner>[^ ]+) RECEIVER$/, 'partner in key', 'expires', 'yes'],
  ['received callback', /^RECEIVED#(?<owner>[^ ]+) /, 'partner in key', 'expires', 'yes'],
  ['rate of a minute', /^RATE#(?<owner>[^#]+)#/, 'partner in key', 'expires', 'no'],
  ['single message', /^MSG#[^ ]+ MESSAGE$/, 'partner in row', 'expires', 'merged'],
  ['states of a message', /^MSG#[^ ]+ STATE$/, 'partner in row', 'expires', 'merged'],
  ['bulk send', /^BULK#[^ ]+ PAYLOAD$/, 'partner in row', 'expires', 'merged'],
  ['part of a bulk send', /^BULK#[^ ]+ PART#/, 'its bulk send', 'expires', 'yes'],
  ['states of a bulk send', /^STATES#/, 'partner in row', 'expires', 'merged'],
  ['send in lists', /^SENDS#(?<owner>[^ ]+) /, 'partner in key', 'expires', 'yes'],
  ['deadline', /^DEADLINE#/, 'partner in row', 'expires', 'last'],
  ['reports of a minute', /^REPORTS#(?<owner>[^#]+)#/, 'partner in key', 'expires', 'no'],
  ['requests of a window', /^REQUESTS#(?<owner>[^#]+)#/, 'partner in key', 'expires', 'no'],
  ['promotion counter', /^PROMOCOUNTER#(?<owner>[^ ]+) /, 'partner in key', 'stays', 'if higher'],
  ['promotion', /^PROMOS#(?<owner>[^ ]+) PROMO#/, 'partner in key', 'stays', 'yes'],
  ['promotion in lists', /^PROMOS#(?<owner>[^ ]+) ITEM#/, 'partner in key', 'stays', 'yes'],
  ['endpoint', /^ENDPOINT#(?<owner>[^ #]+)(?:#alerts)? SETTINGS$/, 'partner in key', 'stays', 'yes'],
  ['circuit', /^ENDPOINT#(?<owner>[^ #]+)(?:#alerts)? CIRCUIT$/, 'partner in key', 'expires', 'no'],
  ['failed callbacks', /^FAILED#(?<owner>[^ ]+) /, 'partner in key', 'expires', 'no'],
  ['pace', /^ENDPOINT#(?<owner>[^ #]+)(?:#alerts)? PACE$/, 'partner in key', 'expires', 'no'],
  ['examination', /^EXAMINED#(?<owner>[^ ]+) /, 'partner in key', 'stays', 'no'],
  ['event', /^EVENTS#(?<owner>[^ ]+) /, 'partner in key', 'expires', 'yes'],
  ['callback tests of a minute', /^CALLBACKTESTS#(?<owner>[^#]+)#/, 'partner in key', 'expires', 'no'],
  ['examinations of ten minutes', /^EXAMINATIONS#(?<owner>[^#]+)#/, 'partner in key', 'expires', 'no'],
  ['replays of ten minutes', /^REPLAYS#(?<owner>[^#]+)#/, 'partner in key', 'expires', 'no'],
  ['callback', /^CALLBACKS#(?<owner>[^#]+)#/, 'partner in key', 'expires', 'no'],
  ['delivered callbacks', /^DELIVERED#(?<owner>[^#]+)#/, 'partner in key', 'expires', 'yes'],
  ['kept response', /^IDEM#(?<owner>[^#]+)#.* RESPONSE#[^ ]+$/, 'partner in key', 'expires', 'no'],
  ['idempotency key', /^IDEM#(?<owner>[^#]+)#.* -$/, 'partner in key', 'expires', 'no'],
  ['parked message', /^PARKED#/, 'its text', 'expires', 'no'],
  ['heartbeat', /^HEARTBEAT#/, 'nobody', 'expires', 'no'],
] as const satisfies readonly (readonly [string, RegExp, Owner, End, Restored])[];

export const rowKinds = declared.map(([name, pattern, owner, end, restored]) => ({
  name,
  pattern,
  owner,
  end,
  restored,
}));
export type RowKind = (typeof rowKinds)[number];
export type RowKindName = RowKind['name'];

/** The kind of the row under this key, and the id of its owner if the key contains it. */
export function kindOf({ pk, sk }: RowKey): { kind: RowKind; owner?: string } {
  for (const kind of rowKinds) {
    const match = kind.pattern.exec(`${pk} ${sk}`);
    const owner = match?.groups?.['owner'];
    if (match) return owner === undefined ? { kind } : { kind, owner };
  }
  throw new UnknownRow(pk);
}

/**
 * The partition keys of these kinds, as patterns of IAM, which sees nothing else of a row: kinds that share a partition, as
 * an endpoint and its circuit do, cannot be told apart.
 */
export function partitionPatterns(names: readonly RowKindName[]): string[] {
  const kinds = rowKinds.filter(({ name }) => names.includes(name));
  return [...new Set(kinds.map(({ pattern }) => partitionIn(pattern)))];
}

/** `/^OFFER#/` -> `OFFER#*`; `/^PARTNERS (?<owner>.+)$/` -> `PARTNERS`, which is one partition. */
function partitionIn({ source }: RegExp): string {
  const [, prefix, separator] = /^\^([A-Z]+)([# ])/.exec(source) ?? [];
  if (!prefix) throw new Error(`The pattern ${source} does not begin with the name of a partition.`);
  return separator === '#' ? `${prefix}#*` : prefix;
}

/** A newer version wrote it: a tool that skipped such rows would do half its work and report success. */
export class UnknownRow extends Error {
  constructor(pk: string) {
    super(
      `The table has a kind of row that this version does not know (${pk.split('#')[0]}): use the newer one.`,
    );
  }
}

/** The queues and stream functions whose unreadable messages are parked, under `PARKED#<name>`. */
export const parkedQueues = [
  'places-sync',
  'callbacks',
  'delivery-receipts',
  'deadlines',
  'DispatchMessages',
  'FanOutStates',
] as const;

export type ParkedQueue = (typeof parkedQueues)[number];
