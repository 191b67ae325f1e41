import { createRng, type Rng } from '../core/rng.ts';
import { entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { World } from '../world.ts';
import { type Actor, letEnd } from './actor.ts';
import type { Outcome, Try } from './client.ts';
import type { SimulatedPartner } from './partners.ts';

interface Content {
  readonly name: string;
  readonly startDate: string;
  readonly endDate: string | null;
  readonly description: string;
  readonly discount: string;
}
type Found = Partial<Content> & { readonly promoId: number; readonly status: string };

interface KnownPromotion {
  readonly partner: SimulatedPartner;
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

/** How a partner reads promotions: all of them, the active ones, one. */
const reads = {
  list: { route: 'GET /promo/v1/all?limit=100', fields: ['name', 'startDate', 'endDate'] },
  active: { route: 'GET /promos', fields: ['name'] },
  details: {
    route: 'GET /promo/v1/details?promoId=',
    fields: ['name', 'startDate', 'endDate', 'description', 'discount'],
  },
} as const;
type Kind = keyof typeof reads;

function foundIn(body: object): readonly Found[] {
  const { items, promos } = body as { items?: Found[]; promos?: { id: number; name: string }[] };
  if ('promoId' in body) return [body as Found];
  return items ?? (promos ?? []).map(({ id, name }) => ({ promoId: id, name, status: 'active' }));
}

function dateOf(ms: number): string {
  return `${new Date(ms + offsetMs).toISOString().slice(0, 19)}+03`;
}

function msOf(date: string): number {
  return Date.parse(`${date}:00`);
}

/** What each of them may have become. Only a change that would end a promotion before its start is refused. */
function after(
  contents: readonly Content[],
  change: Partial<Content>,
  outcome?: Outcome,
): readonly Content[] {
  const isValid = ({ startDate, endDate }: Content) => endDate === null || msOf(endDate) > msOf(startDate);
  const made = contents.map((one) => ({ ...one, ...change })).filter(isValid);
  const status = outcome?.response?.status;
  if (status === 200) return made;
  if (!outcome || outcome.uncertain) return [...contents, ...made];
  return status === 400 ? contents.filter((one) => !isValid({ ...one, ...change })) : [];
}

/** At the beginning and at the end of a request. */
function statusesOf({ startDate, endDate }: Content, { startedAt, endedAt }: Try): readonly string[] {
  return [startedAt - slackMs, endedAt + slackMs].map((ms) => {
    if (ms < msOf(startDate)) return 'planned';
    return endDate === null || ms < msOf(endDate) ? 'active' : 'completed';
  });
}

function newContent(rng: Rng, name: string, nowMs: number): Content {
  const startMs = nowMs + rng.pick([-30 * dayMs, -60_000, 1_800_000, dayMs]);
  const endDate = rng.happens(0.5) ? dateOf(startMs + rng.pick([30_000, 3_600_000, 20 * dayMs])) : null;
  return { name, startDate: dateOf(startMs), endDate, description: `<p>${name}</p>`, discount: '' };
}

function newChange(rng: Rng, marker: string, nowMs: number): Partial<Content> {
  const text = String(rng.between(0, 1_000));
  const date = nowMs + rng.pick([-40 * dayMs, -60_000, 60_000, 40 * dayMs]);
  return rng.pick<Partial<Content>>([
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
    const { promoId } = known;
    const before = state(known);
    const outcomes = new Map<Partial<Content>, Outcome>();
    const possible = () =>
      [changes, changes.toReversed()].flatMap((order) =>
        order.reduce((contents, one) => after(contents, one, outcomes.get(one)), before),
      );
    known.history.push(possible());
    const make = async (one: Partial<Content>): Promise<void> => {
      const outcome = await request('POST /promo/v1/update', options, { promoId, ...one });
      outcomes.set(one, outcome);
      answered(known, outcome);
    };
    await Promise.all(changes.map(make));
    if ([...outcomes.values()].some(({ uncertain }) => uncertain)) await time.sleep(overAfterMs);
    known.history.push(possible());
    if (state(known).length === 0)
      wrong.answers.push(`${promoId}: ${JSON.stringify([before, ...outcomes.entries()])}`);
  };

  /** What is read must have been there at some time since the request. */
  const read = async (kind: Kind, known: KnownPromotion): Promise<void> => {
    const { authorization, partnerId } = known.partner;
    const { route, fields } = reads[kind];
    const own = promotions.filter(({ partner }) => partner === known.partner);
    const certain = own.filter(({ promoId }) => promoId !== undefined);
    const since = new Map(own.map((one) => [one, one.history.length - 1]));
    const target = kind === 'details' ? `${route}${known.promoId}` : route;
    const { response, tries } = await request(target, { authorization, persistent: true });
    const last = tries.at(-1) as Try;
    readings += 1;
    const meanwhile = (one: KnownPromotion) => one.history.slice(since.get(one)).flat();
    // One whose creation was begun, and repeated under its key, may be there twice: no answer names the first.
    const untold = (name: string | undefined) =>
      own.find(({ marker, created }) => marker === name && (!created || created.uncertain));
    const found = foundIn(response?.body as object);
    const strangers = found.filter((one) => {
      const promotion = own.find(({ promoId }) => promoId === one.promoId);
      const contents = promotion ? meanwhile(promotion) : (untold(one.name)?.history[0] ?? []);
      const fits = (content: Content) =>
        fields.every((field) => content[field] === one[field]) &&
        statusesOf(content, last).includes(one.status);
      return !contents.some(fits);
    });
    const missing = (kind === 'details' ? [known] : certain).filter((one) => {
      const statuses = meanwhile(one).flatMap((content) => statusesOf(content, last));
      const isShown = kind !== 'active' || statuses.every((status) => status === 'active');
      return isShown && !found.some(({ promoId }) => promoId === one.promoId);
    });
    const isSorted = found.every((one, n) => {
      const { startDate = '', promoId } = found[n - 1] ?? {};
      const later = msOf(startDate) - msOf(one.startDate ?? '');
      return kind !== 'list' || promoId === undefined || later > 0 || (later === 0 && promoId > one.promoId);
    });
    const isEmpty = kind === 'active' && found.length === 0;
    if (strangers.length + missing.length > 0 || !isSorted || response?.status !== (isEmpty ? 404 : 200))
      wrong.reads.push(`${target} of ${partnerId}: ${JSON.stringify({ response, strangers, missing })}`);
  };

  const story = async ({ who, variant }: Action): Promise<void> => {
    const partner = partners.of(who);
    const rng = createRng('promotion', variant);
    const marker = `promotion ${promotions.length}`;
    const content = newContent(rng, marker, time.now());
    const known: KnownPromotion = { partner, marker, history: [[content]] };
    promotions.push(known);
    const options = () => ({ authorization: partner.authorization, persistent: rng.happens(0.7) });
    known.created = await request('POST /promo/v1/create', options(), content);
    const promoId = answered(known, known.created);
    if (promoId === undefined) return;
    known.promoId = promoId;
    for (let rounds = rng.between(1, 5); rounds > 0; rounds--) {
      await time.sleep(rng.between(0, 900_000));
      const count = rng.pick([0, 1, 1, 2]);
      const changes = Array.from({ length: count }, () => newChange(rng, marker, time.now()));
      if (count > 0) await change(known, options(), changes);
      await read(rng.pick(['list', 'active', 'details']), known);
    }
  };

  return {
    does: { promotion: story },
    ledger: async () => {
      const told = promotions.filter(({ promoId }) => promoId !== undefined);
      await letEnd(time, Promise.all(told.flatMap((one) => [read('list', one), read('details', one)])));
      const untold = promotions.filter(({ promoId }) => promoId === undefined);
      const refused = untold.filter(({ created }) => !created?.uncertain);
      return {
        entries: [
          entry(
            'no valid promotion was refused',
            promotions.length,
            refused.map(({ marker }) => marker),
          ),
          entry('promotions are answered as the dates say', told.length, wrong.answers),
          entry('promotions are read as they were answered', readings, wrong.reads),
        ],
        figures: { promotions: promotions.length },
      };
    },
  };
}
