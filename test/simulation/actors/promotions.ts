import { promotionItemKey, promotionKey, promotionsPartition } from '../../../shared/table/keys.ts';
import { createRng, type Rng } from '../core/rng.ts';
import { entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { Row, World } from '../world.ts';
import type { Actor } from './actor.ts';
import type { Outcome } from './client.ts';
import type { SimulatedPartner } from './partners.ts';

interface Content {
  readonly name: string;
  readonly startDate: string;
  readonly endDate: string | null;
  readonly description: string;
  readonly discount: string;
}
type Field = keyof Content;
type Found = Partial<Content> & { readonly promoId: number; readonly status: string };

interface KnownPromotion {
  readonly partnerId: string;
  readonly marker: string;
  created?: Outcome;
  promoId?: number;
  /** What it may have been: at first, while and after it was changed for the first time, and so on. */
  readonly history: (readonly Content[])[];
}

const dayMs = 86_400_000;
const offsetMs = 3 * 3_600_000;
/** The clocks of instances are wrong by up to two seconds. */
const slackMs = 3_000;
/** What a request without an answer set off has ended after this time. */
const overAfterMs = 60_000;

const listed = ['name', 'startDate', 'endDate'] as const satisfies readonly Field[];
const all = [...listed, 'description', 'discount'] as const satisfies readonly Field[];

/** How a partner reads promotions: all of them, the active ones, one. */
const reads = {
  list: { route: 'GET /promo/v1/all?limit=100', fields: listed },
  active: { route: 'GET /promos', fields: ['name'] },
  details: { route: 'GET /promo/v1/details?promoId=', fields: all },
} as const;

function foundIn(body: object): readonly Found[] {
  const { items, promos } = body as { items?: Found[]; promos?: (Found & { id: number })[] };
  if ('promoId' in body) return [body as Found];
  return items ?? (promos ?? []).map((one) => ({ ...one, promoId: one.id, status: 'active' }));
}

function dateOf(ms: number): string {
  return `${new Date(ms + offsetMs).toISOString().slice(0, 19)}+03`;
}

function msOf(date: string): number {
  return Date.parse(`${date}:00`);
}

function textOf(content: Partial<Content>, fields: readonly Field[] = all): string {
  return JSON.stringify(fields.map((field) => content[field]));
}

/** What each of them may have become. A change that would end a promotion before its start must have been refused. */
function after(contents: readonly Content[], change: Partial<Content>, outcome: Outcome): readonly Content[] {
  const made = contents
    .map((one) => ({ ...one, ...change }))
    .filter(({ startDate, endDate }) => endDate === null || msOf(endDate) > msOf(startDate));
  if (outcome.response?.status === 200) return made;
  return outcome.uncertain ? [...contents, ...made] : contents;
}

/** At the beginning and at the end of a request. */
function statusesOf({ startDate, endDate }: Content, { startedAt, endedAt }: Outcome): readonly string[] {
  return [startedAt - slackMs, endedAt + slackMs].map((ms) => {
    if (ms < msOf(startDate)) return 'planned';
    return endDate === null || ms < msOf(endDate) ? 'active' : 'completed';
  });
}

function contentOf(row: Row): Partial<Content> {
  const { startsAt, endsAt, ...rest } = row as Row &
    Record<'startsAt' | 'endsAt', { ms: number } | undefined>;
  return { ...rest, startDate: dateOf(startsAt?.ms ?? 0), endDate: endsAt ? dateOf(endsAt.ms) : null };
}

/**
 * A promotion whose number no answer named: its creation must be open. One that was begun, and repeated under its
 * key, may have created two.
 */
function untold(name: string | undefined, promotions: readonly KnownPromotion[]): readonly Content[] {
  const one = promotions.find(({ marker, created }) => marker === name && (!created || created.uncertain));
  return one?.history[0] ?? [];
}

function newContent(rng: Rng, name: string, nowMs: number): Content {
  const startMs = nowMs + rng.pick([-30 * dayMs, -60_000, 1_800_000, dayMs]);
  const endDate = rng.happens(0.5) ? dateOf(startMs + rng.pick([30_000, 3_600_000, 20 * dayMs])) : null;
  const discount = rng.pick(['15 %', '']);
  return { name, startDate: dateOf(startMs), endDate, description: `<p>${name}</p>`, discount };
}

function newChange(rng: Rng, marker: string, nowMs: number): Partial<Content> {
  const text = String(rng.between(0, 1_000));
  const date = nowMs + rng.pick([-40 * dayMs, -60_000, 60_000, 40 * dayMs]);
  return rng.pick<Partial<Content>>([
    { name: `${marker} / ${text}` },
    { discount: text },
    { name: `${marker} / ${text}`, description: `<p>${text}</p>` },
    { startDate: dateOf(date) },
    { endDate: dateOf(date) },
    { endDate: null, name: `${marker} / ${text}` },
    { startDate: dateOf(date), endDate: dateOf(date + dayMs) },
  ]);
}

/** Area D: partners create, change and read promotions; what was answered must be what is read. */
export function createPromotions({ partners, request, time }: World): Actor {
  const promotions: KnownPromotion[] = [];
  const wrong = { answers: [] as string[], reads: [] as string[] };
  let readings = 0;
  const of = (partnerId: string) => promotions.filter((one) => one.partnerId === partnerId);
  const state = ({ history }: KnownPromotion): readonly Content[] => history.at(-1) ?? [];

  /** The number in an answer, whose status must follow from the dates. */
  const answered = (known: KnownPromotion, outcome: Outcome): number | undefined => {
    if (outcome.response?.status !== 200) return undefined;
    const { promoId, status } = outcome.response.body as Found;
    if (!state(known).some((one) => statusesOf(one, outcome).includes(status)))
      wrong.answers.push(`${promoId} is ${status} instead of ${JSON.stringify(state(known))}`);
    return promoId;
  };

  type Options = Parameters<typeof request>[1];
  /** Makes one change, or two at once, which take effect in one order or the other. */
  const change = async (known: KnownPromotion, options: Options, changes: readonly Partial<Content>[]) => {
    const before = state(known);
    const open: Outcome = { uncertain: true, tries: [], startedAt: 0, endedAt: 0 };
    const outcomes = new Map<Partial<Content>, Outcome>();
    const possible = () =>
      [changes, changes.toReversed()].flatMap((order) =>
        order.reduce((contents, one) => after(contents, one, outcomes.get(one) ?? open), before),
      );
    known.history.push(possible());
    await Promise.all(
      changes.map(async (one) => {
        const outcome = await request('POST /promo/v1/update', options, { promoId: known.promoId, ...one });
        outcomes.set(one, outcome);
        answered(known, outcome);
        const { response, uncertain } = outcome;
        const mustSucceed = changes.length === 1 && after(before, one, open).length === 2 * before.length;
        if (!uncertain && response?.status !== 200 && (mustSucceed || response?.status !== 400))
          wrong.answers.push(`${known.promoId}: ${JSON.stringify(response)} to ${JSON.stringify(one)}`);
      }),
    );
    if ([...outcomes.values()].some(({ uncertain }) => uncertain)) await time.sleep(overAfterMs);
    known.history.push([...new Map(possible().map((one) => [textOf(one), one])).values()]);
  };

  /** What is read must have been there at some time since the request. */
  const read = async ({ authorization, partnerId }: SimulatedPartner, rng: Rng, known: KnownPromotion) => {
    const kind = rng.pick<keyof typeof reads>(['list', 'active', 'details']);
    const { route, fields } = reads[kind];
    const certain = of(partnerId).filter(({ promoId }) => promoId !== undefined);
    const since = new Map(of(partnerId).map((one) => [one, one.history.length - 1]));
    const target = kind === 'details' ? `${route}${known.promoId}` : route;
    const outcome = await request(target, { authorization, persistent: false });
    const { response } = outcome;
    if (!response || response.status >= 429) return;
    readings += 1;
    const meanwhile = (one: KnownPromotion) => one.history.slice(since.get(one) ?? 0).flat();
    const add = (text: string) => wrong.reads.push(`${target} of ${partnerId}: ${text}`);
    const found = foundIn(response.body as object);
    const ids = found.map(({ promoId }) => promoId);
    for (const one of found) {
      const told = of(partnerId).find(({ promoId }) => promoId === one.promoId);
      const some = told ? meanwhile(told) : untold(one.name, of(partnerId));
      const fits = (content: Content) =>
        textOf(content, fields) === textOf(one, fields) && statusesOf(content, outcome).includes(one.status);
      if (!some.some(fits)) add(`${JSON.stringify(one)} instead of ${JSON.stringify(some)}`);
    }
    for (const one of kind === 'details' ? [known] : certain) {
      const isActive = meanwhile(one).every((content) =>
        statusesOf(content, outcome).every((status) => status === 'active'),
      );
      if ((kind !== 'active' || isActive) && !ids.includes(one.promoId ?? 0)) add(`no ${one.promoId}`);
    }
    const order = found.toSorted(
      (a, b) => msOf(b.startDate ?? '') - msOf(a.startDate ?? '') || b.promoId - a.promoId,
    );
    if (kind === 'list' && order.some((one, n) => one !== found[n])) add('not newest first');
    if (new Set(ids).size !== ids.length) add(`twice the same in ${ids}`);
    if (kind === 'active' && (response.status === 404) !== (ids.length === 0)) add(String(response.status));
  };

  const story = async ({ who, variant }: Action): Promise<void> => {
    const partner = partners.partners[who] as SimulatedPartner;
    const { partnerId, authorization } = partner;
    const rng = createRng('promotion', variant);
    const marker = `promotion ${promotions.length}`;
    const content = newContent(rng, marker, time.now());
    const known: KnownPromotion = { partnerId, marker, history: [[content]] };
    promotions.push(known);
    const options = () => ({ authorization, persistent: rng.happens(0.7) });
    known.created = await request('POST /promo/v1/create', options(), content);
    const promoId = answered(known, known.created);
    if (promoId === undefined) return;
    known.promoId = promoId;
    for (let rounds = rng.between(1, 5); rounds > 0; rounds--) {
      await time.sleep(rng.between(0, 900_000));
      const count = rng.pick([0, 1, 1, 2]);
      const changes = Array.from({ length: count }, () => newChange(rng, marker, time.now()));
      if (count > 0) await change(known, options(), changes);
      await read(partner, rng, known);
    }
  };

  /** Both rows of every promotion, compared with each other and with what its partner knows. */
  const judgeRows = (partnerId: string, rows: readonly Row[]): string[] => {
    const stored = new Map(
      rows.filter(({ pk }) => pk === promotionsPartition(partnerId)).map((row) => [row.sk, contentOf(row)]),
    );
    const theirs = of(partnerId);
    const told = theirs.flatMap(({ promoId }) => promoId ?? []);
    const ids = new Set([...told, ...[...stored.keys()].map((sk) => Number(sk.slice(sk.indexOf('#') + 1)))]);
    return [...ids].flatMap((id) => {
      const content = stored.get(promotionKey(partnerId, id).sk) ?? {};
      const item = stored.get(promotionItemKey(partnerId, id).sk) ?? {};
      const known = theirs.find(({ promoId }) => promoId === id);
      const some = known ? state(known) : untold(content.name, theirs);
      const fits =
        textOf(content, listed) === textOf(item, listed) &&
        some.some((one) => textOf(one) === textOf(content));
      const parts = [content, item, some].map((part) => JSON.stringify(part));
      return fits
        ? []
        : [`${id} of ${partnerId} is ${parts[0]}, in lists ${parts[1]}, instead of ${parts[2]}`];
    });
  };

  return {
    does: { promotion: story },
    ledger: (rows) => {
      const told = promotions.filter(({ promoId }) => promoId !== undefined);
      const ids = new Set(told.map(({ partnerId, promoId }) => `${partnerId} ${promoId}`));
      const refused = promotions.filter(
        ({ promoId, created }) => promoId === undefined && !created?.uncertain,
      );
      const unfit = partners.partners.flatMap(({ partnerId }) => judgeRows(partnerId, rows));
      return {
        entries: [
          entry(
            'every promotion has a number of its own',
            told.length,
            ids.size < told.length ? [...ids] : [],
          ),
          entry(
            'no valid promotion was refused',
            promotions.length,
            refused.map(({ marker }) => marker),
          ),
          entry('promotions are answered as the dates say', told.length, wrong.answers),
          entry('promotions are read as they were answered', readings, wrong.reads),
          entry('promotions are stored as they were answered, in both rows', told.length, unfit),
        ],
        figures: { promotions: promotions.length, 'promotions read': readings },
      };
    },
  };
}
