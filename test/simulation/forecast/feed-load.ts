import type { Load } from './load.ts';
import { phones, pushTo, registerPhones, setEndpoint } from './sends.ts';

const recipients = 10_000;
const callbacks = 2 * recipients;
const hourMs = 3_600_000;
/** The guide asks for at least this long between polls without news. */
const pollEveryMs = 5_000;

type Page = { callbacks: readonly { webhookId: string }[]; cursor: string; more: boolean };

/** A bulk send of a partner that reads its callbacks. The latencies are those until a reader has them. */
export const feedLoad: Load = {
  prepare: async (stage) => {
    await registerPhones(stage, recipients);
    await setEndpoint(stage, { mode: 'feed' });
  },
  run: async ({ alpha, ask, sleep, world }) => {
    const end = world.time.now() + hourMs;
    const readAt = new Map<string, number>();
    let from = `since=${new Date(world.time.now()).toISOString()}`;
    await ask(alpha, 'POST /push/bulk/single', pushTo(phones(recipients)));
    while (readAt.size < callbacks && world.time.now() < end) {
      const { status, body } = await ask(alpha, `GET /callbacks/feed?${from}`);
      const page = status === 200 ? (body as Page) : undefined;
      for (const { webhookId } of page?.callbacks ?? [])
        if (!readAt.has(webhookId)) readAt.set(webhookId, world.time.now());
      if (page) from = `cursor=${page.cursor}`;
      if (!page?.more) await sleep(pollEveryMs);
    }
    const latenciesMs = [...readAt].map(([id, atMs]) => atMs - (world.wallet.postedAt.get(id) ?? atMs));
    return { failed: callbacks - readAt.size, latenciesMs };
  },
};
