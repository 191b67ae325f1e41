import { defaultLifetimeMs } from '../../shared/check-ins/check-in.ts';
import type { Account, Offer } from '../../shared/partners/account.ts';
import { maxPositions } from '../../shared/push/message-id.ts';
import { defaultPushLimits } from '../../shared/push/push-request.ts';
import { minutes } from '../../shared/runtime/clock.ts';

/** Limits of an account by the names of their options, with the most that can be agreed. */
export const pushLimits = [
  { option: 'pushes-per-minute', member: 'pushesPerMinute', most: 1_000_000_000 },
  { option: 'bulk-recipients', member: 'bulkRecipients', most: maxPositions },
  { option: 'multi-messages', member: 'multiMessages', most: maxPositions },
] as const;

export const checkInOption = 'check-in-minutes';

/** Longer lives would let a busy place run out of its 10,000 secret codes. */
export const mostCheckInMinutes = 1_440;

export interface Limit {
  readonly value: number;
  /** Beyond the service's default. */
  readonly agreed: boolean;
}

export interface Limits {
  readonly pushesPerMinute: Limit;
  readonly bulkRecipients: Limit;
  readonly multiMessages: Limit;
  /** By offerId. */
  readonly checkInMinutes: Readonly<Record<string, Limit>>;
}

function limit(agreed: number | undefined, usual: number): Limit {
  return {
    value: agreed ?? usual,
    agreed: agreed !== undefined,
  };
}

/** What holds for a partner, agreed or by default. */
export function limitsOf({ limits, offerIds }: Account, offers: readonly Offer[]): Limits {
  const lifetimeMs = new Map(offers.map((offer) => [offer.offerId, offer.checkInLifetimeMs]));
  const inMinutes = (ms: number | undefined) => (ms === undefined ? undefined : ms / minutes(1));
  return {
    pushesPerMinute: limit(limits.pushesPerMinute, defaultPushLimits.pushesPerMinute),
    bulkRecipients: limit(limits.bulkRecipients, defaultPushLimits.bulkRecipients),
    multiMessages: limit(limits.multiMessages, defaultPushLimits.multiMessages),
    checkInMinutes: Object.fromEntries(
      offerIds.map((id) => [id, limit(inMinutes(lifetimeMs.get(id)), defaultLifetimeMs / minutes(1))]),
    ),
  };
}

function written({ value, agreed }: Limit): string {
  return `${value.toLocaleString('en-US')} (${agreed ? 'agreed' : 'default'})`;
}

/** Name and value of each limit, for a listing. */
export function limitLines(limits: Limits): [string, string][] {
  return [
    ...pushLimits.map(({ option, member }): [string, string] => [option, written(limits[member])]),
    ...Object.entries(limits.checkInMinutes).map(([offerId, one]): [string, string] => [
      `${checkInOption} of ${offerId}`,
      written(one),
    ]),
  ];
}
