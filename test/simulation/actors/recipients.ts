import { createSetting } from '../setting.ts';
import type { World } from '../world.ts';

export const phones: readonly number[] = Array.from({ length: 60 }, (_, n) => 79_100_000_000 + n);

/** A function may outlive its request, and a call that it has given up may be made even later. */
const lateMs = 60_000;

/** Rule 18: what the wallet platform has said about phones, from which follows what senders are told. */
export function createRecipients({ request, time, isCalm }: World) {
  const registered = new Map(phones.map((msisdn) => [msisdn, createSetting(false)]));
  let last: Promise<unknown> = Promise.resolve();

  const update = async (msisdns: readonly number[], isRegistered: boolean): Promise<void> => {
    const ends = msisdns.map((msisdn) => registered.get(msisdn)?.begin(isRegistered, time.now()));
    const list = isRegistered ? 'registered' : 'unregistered';
    await request('PUT /wallet/recipients', { persistent: true }, { [list]: msisdns });
    const to = time.now() + (isCalm ? 0 : lateMs);
    for (const end of ends) end?.(to);
    if (!isCalm) await time.sleep(lateMs);
  };

  return {
    /** Registers or unregisters phones, one call after the other. */
    set: (msisdns: readonly number[], isRegistered: boolean): Promise<unknown> => {
      last = last.then(() => update(msisdns, isRegistered));
      return last;
    },
    /** Returns the states that the sender of a message to this number may be told. */
    statesOf: (msisdn: number, { startedAt, endedAt }: { startedAt: number; endedAt: number }): string[] => {
      const during = { startedAt, endedAt: endedAt + (isCalm ? 0 : lateMs) };
      const some = registered.get(msisdn)?.in(during) ?? [];
      return some.map((isRegistered) => (isRegistered ? 'ENQUEUED' : 'MSISDN_NOT_REGISTERED'));
    },
  };
}

export type Recipients = ReturnType<typeof createRecipients>;
