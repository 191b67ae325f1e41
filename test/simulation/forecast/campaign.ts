import { visit } from './check-in-load.ts';
import type { Load } from './load.ts';
import { firstPhone, latenciesOf, phones, pushTo, registerPhones, takenCounter } from './sends.ts';

const scale = 10;
const sends = 20;
const recipientsOfSend = 10_000 / scale;
/** As many as a partner may send to in a minute by default (rule 49). */
const pushesPerMinute = 100_000 / scale;
/** Ten sends take a minute's whole rate. */
const sendEveryMs = 6_500;
/** While alpha sends, beta sends this often, and its till serves a card as often. */
const othersEveryMs = 500;
const others = (sends * sendEveryMs) / othersEveryMs;
const hourMs = 3_600_000;

/**
 * Alpha sends to 200,000 recipients at its rate, with both callbacks of each, at a tenth of the size and with a tenth of
 * the table's throughput. Beta goes on as on any day; the latencies are those of its callbacks.
 */
export const campaign: Load = {
  limits: { pushesPerMinute },
  scale,
  prepare: (stage) => registerPhones(stage, sends * recipientsOfSend),
  run: async (stage) => {
    const { alpha, beta, ask, sleep, until } = stage;
    const [taken, takenByOther] = [takenCounter(alpha), takenCounter(beta)];
    const numbers = phones(sends * recipientsOfSend);
    let failed = 0;
    const send = async (from: number): Promise<void> => {
      const msisdns = numbers.slice(from, from + recipientsOfSend);
      const { status } = await ask(alpha, 'POST /push/bulk/single', pushTo(msisdns));
      if (status !== 200) failed += 1;
    };
    const serve = async (n: number): Promise<void> => {
      const { status } = await ask(beta, 'POST /push/delivery', pushTo(firstPhone));
      if (status !== 200 || !(await visit(stage, beta, n))) failed += 1;
    };
    const made: Promise<void>[] = [];
    for (let n = 0; n < others; n++) {
      if ((n * othersEveryMs) % sendEveryMs === 0)
        made.push(send((n * othersEveryMs * recipientsOfSend) / sendEveryMs));
      made.push(serve(n));
      await sleep(othersEveryMs);
    }
    await Promise.all(made);
    const untold = () => 2 * numbers.length - taken() + 2 * others - takenByOther();
    await until(() => untold() === 0, hourMs);
    return { failed: failed + untold(), latenciesMs: latenciesOf(stage, beta) };
  },
};
