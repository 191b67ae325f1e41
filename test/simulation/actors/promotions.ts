import type { PromotionDetails } from '../../../shared/promotions/promotion.ts';
import { createRng, type Rng } from '../core/rng.ts';
import { check, entry } from '../ledger.ts';
import { contradictions, type Operation, type Specification } from '../linearizable.ts';
import type { Action } from '../plan.ts';
import type { Actor, World } from '../world.ts';
import type { Outcome, Try } from './client.ts';
import type { SimulatedPartner } from './partners.ts';

const allFields = ['name', 'startDate', 'endDate', 'description', 'discount'] as const;
type Content = Pick<PromotionDetails, (typeof allFields)[number]>;
type Found = Partial<Content> & Pick<PromotionDetails, 'promoId' | 'status'>;

/** The routes by which a partner sees promotions, and the fields that each shows; `answer` is a change's response. */
const reads = {
  answer: { route: '', fields: [] },
  list: { route: 'GET /promo/v1/all?limit=100', fields: ['name', 'startDate', 'endDate'] },
  active: { route: 'GET /promos', fields: ['name'] },
  details: { route: 'GET /promo/v1/details?promoId=', fields: allFields },
} as const;
type Kind = keyof typeof reads;

/** A change, with the status of its response if there was one, or what a partner saw of the promotion. */
type Call = { change: Partial<Content>; answer?: number } | { kind: Kind; shown: Found | undefined };

type Promotion = {
  partner: SimulatedPartner;
  first: Content;
  history: Operation<Call>[];
  created?: Outcome;
  promoId?: number;
};

const dayMs = 86_400_000;
const offsetMs = 3 * 3_600_000;
/** The tolerance for the clocks of instances, which are up to two seconds wrong. */
const slackMs = 3_000;

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

function newestFirst(a: Found, b: Found): number {
  return msOf(b.startDate ?? '') - msOf(a.startDate ?? '') || b.promoId - a.promoId;
}

type Span = Pick<Try, 'startedAt' | 'endedAt'>;

/** Returns the statuses at the beginning and at the end of a request. */
function statusesOf({ startDate, endDate }: Content, { startedAt, endedAt }: Span): readonly string[] {
  return [startedAt - slackMs, endedAt + slackMs].map((ms) => {
    if (ms < msOf(startDate)) return 'planned';
    return endDate === null || ms < msOf(endDate) ? 'active' : 'completed';
  });
}

function isShown(content: Content, span: Span, kind: Kind, shown: Found | undefined): boolean {
  const statuses = statusesOf(content, span);
  if (!shown) return kind === 'active' && statuses.some((status) => status !== 'active');
  if (!statuses.includes(shown.status)) return false;
  return reads[kind].fields.every((field) => content[field] === shown[field]);
}

/** A promotion is the result of its changes in order. A change that would end it before its start is refused. */
function promotionSpecification(initial: Content): Specification<Content, Call> {
  return {
    initial,
    // A request without a response may still take effect within this time.
    lateMs: 60_000,
    next: (content, { call, ...span }) => {
      if ('kind' in call) return isShown(content, span, call.kind, call.shown) ? [content] : [];
      const { answer } = call;
      const made = { ...content, ...call.change };
      const isValid = made.endDate === null || msOf(made.endDate) > msOf(made.startDate);
      return answer === undefined || answer === (isValid ? 200 : 400) ? [isValid ? made : content] : [];
    },
  };
}

function newContent(rng: Rng, name: string, nowMs: number): Content {
  const startMs = nowMs + rng.pick([-30 * dayMs, -60_000, 1_800_000, dayMs]);
  const endDate = rng.happens(0.5) ? dateOf(startMs + rng.pick([30_000, 3_600_000, 20 * dayMs])) : null;
  return { name, startDate: dateOf(startMs), endDate, description: `<p>${name}</p>`, discount: '' };
}

/** None, one or two changes, of different members, so that their events differ even at the same time. */
function newChanges(rng: Rng, { name }: Content, nowMs: number): Partial<Content>[] {
  const text = String(rng.between(0, 1_000));
  const date = () => nowMs + rng.pick([-40 * dayMs, -60_000, 60_000, 40 * dayMs]);
  const start = date();
  const changes: Partial<Content>[] = [
    { discount: text },
    { name: `${name} / ${text}`, description: `<p>${text}</p>` },
    { startDate: dateOf(date()) },
    { endDate: dateOf(date()) },
    { endDate: null, name: `${name} / ${text}` },
    { startDate: dateOf(start), endDate: dateOf(start + dayMs) },
  ];
  const count = rng.pick([0, 1, 1, 2]);
  return Array.from({ length: count }).flatMap(() => changes.splice(rng.between(0, changes.length), 1));
}

/** Area D: partners create, change and read promotions. What they read must agree with the responses to changes. */
export function createPromotions({ partners, request, time }: World): Actor {
  const promotions: Promotion[] = [];
  const strange: string[] = [];
  let readings = 0;

  const write = async (known: Promotion, persistent: boolean, given: Partial<Content>): Promise<Outcome> => {
    const { partner, promoId, history } = known;
    const route = promoId === undefined ? 'POST /promo/v1/create' : 'POST /promo/v1/update';
    const options = { authorization: partner.authorization, persistent };
    const outcome = await request(route, options, { promoId, ...given });
    const { response, uncertain } = outcome;
    const change = promoId === undefined ? {} : given;
    // A try may have made the change before it was killed. The next try then makes it again.
    if (uncertain) history.push({ ...outcome, call: { change }, isCertain: false });
    if (!response || response.status >= 500) return outcome;
    history.push({ ...outcome, call: { change, answer: response.status }, isCertain: true });
    // The status is read after the change, so a concurrent change may already show in it.
    const shown = response.body as Found;
    if (response.status === 200)
      history.push({ ...outcome, call: { kind: 'answer', shown }, isCertain: true });
    return outcome;
  };

  const read = async (kind: Kind, known: Promotion): Promise<void> => {
    const { authorization, partnerId } = known.partner;
    const own = promotions.filter(({ partner }) => partner === known.partner);
    const meant = kind === 'details' ? [known] : own.filter(({ promoId }) => promoId !== undefined);
    const target = kind === 'details' ? `${reads.details.route}${known.promoId}` : reads[kind].route;
    const { response, tries } = await request(target, { authorization, persistent: true });
    const last = tries.at(-1) as Try;
    readings += 1;
    const found = foundIn(response?.body as object);
    for (const one of own) {
      const shown = found.find(({ promoId }) => promoId === one.promoId);
      if (shown || meant.includes(one)) one.history.push({ ...last, call: { kind, shown }, isCertain: true });
    }
    // Rule 5: a creation runs once per key, so one with a response has made exactly one promotion.
    const untold = own.filter(
      ({ promoId, created }) => promoId === undefined && (!created || created.uncertain),
    );
    const isTold = (shown: Found) => own.some(({ promoId }) => promoId === shown.promoId);
    const isUntold = (shown: Found) => untold.some(({ first }) => isShown(first, last, kind, shown));
    const strangers = found.filter((shown) => !isTold(shown) && !isUntold(shown));
    const isSorted = found.slice(1).every((one, n) => newestFirst(found[n] as Found, one) < 0);
    const isEmpty = kind === 'active' && found.length === 0;
    if (strangers.length > 0 || (kind === 'list' && !isSorted) || response?.status !== (isEmpty ? 404 : 200))
      strange.push(`${target} of ${partnerId}: ${JSON.stringify({ response, strangers })}`);
  };

  const story = async ({ who, variant }: Action): Promise<void> => {
    const rng = createRng('promotion', variant);
    const first = newContent(rng, `promotion ${promotions.length}`, time.now());
    const known: Promotion = { first, history: [], partner: partners.of(who) };
    promotions.push(known);
    known.created = await write(known, rng.happens(0.7), first);
    const { response } = known.created;
    if (response?.status !== 200) return;
    known.promoId = (response.body as Found).promoId;
    for (let rounds = rng.between(1, 5); rounds > 0; rounds--) {
      await time.sleep(rng.between(0, 900_000));
      const changes = newChanges(rng, first, time.now());
      await Promise.all(changes.map((one) => write(known, rng.happens(0.7), one)));
      await read(rng.pick(['list', 'active', 'details']), known);
    }
  };

  return {
    does: { promotion: story },
    ledger: async () => {
      const told = promotions.filter(({ promoId }) => promoId !== undefined);
      await time.letEnd(Promise.all(told.flatMap((one) => [read('list', one), read('details', one)])));
      const wrong = told.flatMap(({ promoId, first, history }) =>
        contradictions(String(promoId), history, promotionSpecification(first)),
      );
      const isRefused = ({ promoId, created }: Promotion) => promoId === undefined && !created?.uncertain;
      return [
        check('rule 28: no valid promotion was refused', promotions, isRefused),
        entry('rules 26 and 28: promotions behave as if requests came one at a time', told.length, wrong),
        entry('rule 27: promotions are read whole, in order, and no others', readings, strange),
      ];
    },
  };
}
