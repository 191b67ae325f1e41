import type { Load } from './load.ts';
import { phones, pushTo, registerPhones } from './sends.ts';

const sends = 10;
const recipientsOfSend = 10_000;
const recipients = sends * recipientsOfSend;
/** Longer than the ten requests take, so that all are accepted before their time. */
const aheadMs = 300_000;
const longestMs = 120_000;
/** A send of so many recipients counts as ten requests of the budget, which allows 60 in ten seconds (rule 48). */
const everyMs = 2_000;

/**
 * Alpha schedules a whole minute's rate for one moment. The latencies are those from that moment until a message is in
 * push-outbox.
 */
export const scheduledSends: Load = {
  prepare: (stage) => registerPhones(stage, recipients),
  run: async ({ alpha, ask, sleep, until, world }) => {
    const { handedOver } = world.wallet;
    const deliverFrom = world.time.now() + aheadMs;
    const numbers = phones(recipients);
    let failed = 0;
    for (let from = 0; from < recipients; from += recipientsOfSend) {
      const msisdn = numbers.slice(from, from + recipientsOfSend);
      const body = { ...pushTo(msisdn), qos: { deliverFrom: new Date(deliverFrom).toISOString() } };
      const { status } = await ask(alpha, 'POST /push/bulk/single', body);
      if (status !== 200) failed += 1;
      await sleep(everyMs);
    }
    await sleep(deliverFrom - world.time.now());
    await until(() => handedOver.length >= recipients, longestMs);
    const latenciesMs = handedOver.map(({ atMs }) => atMs - deliverFrom);
    const early = latenciesMs.filter((ms) => ms < 0).length;
    return { failed: failed + early + recipients - handedOver.length, latenciesMs };
  },
};
