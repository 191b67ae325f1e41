import type { Key } from '../../shared/table/keys.ts';

/** Where it stands whose row it is: in the key, in the row, in another row, in a text, or nowhere. */
type Owner = 'partner in key' | 'offer in key' | 'partner in row' | 'its bulk send' | 'its text' | 'nobody';

/** `as it was`: put back. `upwards`: put back unless it would count down. `not`: left as the service has it. */
type Restored = 'as it was' | 'upwards' | 'not';

export interface RowKind {
  readonly name: string;
  /** Over `<pk> <sk>`; the group `owner` is the id that stands in the key. */
  readonly pattern: RegExp;
  readonly owner: Owner;
  readonly restored: Restored;
}

function kind(name: string, pattern: RegExp, [owner, restored]: readonly [Owner, Restored]): RowKind {
  return {
    name,
    pattern,
    owner,
    restored,
  };
}

/** Every kind of row in the table. `docs/operations.md` says why some are not restored. */
export const rowKinds: readonly RowKind[] = [
  kind('account', /^ACCOUNT#/, ['partner in row', 'as it was']),
  kind('partner entry', /^PARTNERS (?<owner>.+)$/, ['partner in key', 'as it was']),
  kind('offer', /^OFFER#/, ['partner in row', 'as it was']),
  kind('service point', /^PLACES#(?<owner>[^ ]+) /, ['offer in key', 'as it was']),
  kind('acceptance gate', /^SYNCGATE#(?<owner>[^ ]+) /, ['offer in key', 'not']),
  kind('sync session', /^SYNC#(?<owner>[^#]+)#[^ ]+ SESSION$/, ['offer in key', 'not']),
  kind('slice plan', /^SYNC#(?<owner>[^#]+)#[^ ]+ PLAN#/, ['offer in key', 'not']),
  kind('slice errors', /^SYNC#(?<owner>[^#]+)#[^ ]+ ERRORS#/, ['offer in key', 'not']),
  kind('check-in counter', /^CHECKINCOUNTER#(?<owner>[^ ]+) /, ['offer in key', 'upwards']),
  kind('active check-in', /^CHECKINS#(?<owner>[^#]+)#/, ['offer in key', 'not']),
  kind('check-in by number', /^CHECKIN#(?<owner>[^#]+)#/, ['offer in key', 'as it was']),
  kind('recipient', /^MSISDN#/, ['nobody', 'as it was']),
  kind('rate of a minute', /^RATE#(?<owner>[^#]+)#/, ['partner in key', 'not']),
  kind('single message', /^MSG#[^ ]+ MESSAGE$/, ['partner in row', 'as it was']),
  kind('states of a message', /^MSG#[^ ]+ STATE$/, ['partner in row', 'as it was']),
  kind('bulk send', /^BULK#[^ ]+ PAYLOAD$/, ['partner in row', 'as it was']),
  kind('part of a bulk send', /^BULK#[^ ]+ PART#/, ['its bulk send', 'as it was']),
  kind('promotion counter', /^PROMOCOUNTER#(?<owner>[^ ]+) /, ['partner in key', 'upwards']),
  kind('promotion', /^PROMOS#(?<owner>[^ ]+) PROMO#/, ['partner in key', 'as it was']),
  kind('promotion in lists', /^PROMOS#(?<owner>[^ ]+) ITEM#/, ['partner in key', 'as it was']),
  kind('endpoint', /^ENDPOINT#(?<owner>[^ ]+) SETTINGS$/, ['partner in key', 'as it was']),
  kind('circuit', /^ENDPOINT#(?<owner>[^ ]+) CIRCUIT$/, ['partner in key', 'not']),
  kind('callback', /^CALLBACKS#(?<owner>[^#]+)#/, ['partner in key', 'not']),
  kind('drain', /^DRAIN#(?<owner>[^ ]+) /, ['partner in key', 'not']),
  kind('idempotency key', /^IDEM#(?<owner>[^#]+)#/, ['partner in key', 'not']),
  kind('parked message', /^PARKED#/, ['its text', 'not']),
];

/** What kind of row stands under the key, and the id of its owner if the key says it. */
export function kindOf({ pk, sk }: Key): { kind: RowKind; owner?: string } {
  for (const one of rowKinds) {
    const match = one.pattern.exec(`${pk} ${sk}`);
    const owner = match?.groups?.['owner'];
    if (match) return owner === undefined ? { kind: one } : { kind: one, owner };
  }
  throw new UnknownRow(pk);
}

/** A newer version wrote it: a tool that does not know it would do half its work and call it done. */
export class UnknownRow extends Error {
  constructor(pk: string) {
    super(
      `The table has a kind of row that this version does not know (${pk.split('#')[0]}): use the newer one.`,
    );
  }
}

/** The names under which the service sets messages aside, `PARKED#<name>`. */
export const parkedQueues = [
  'places-sync',
  'callbacks',
  'delivery-receipts',
  'DispatchMessages',
  'FanOutStates',
] as const;
