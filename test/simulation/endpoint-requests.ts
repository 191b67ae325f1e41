import { isDeepStrictEqual } from 'node:util';
import type { Asked, AskedSettings, EndpointRequest } from './actors/endpoint-request.ts';
import type { SimulatedPartner } from './actors/partners.ts';
import { type EndpointFacts, spansOf, wasSo } from './circuit-history.ts';
import type { Case } from './ledger.ts';
import type { Row, Version } from './watch-rows.ts';
import type { World } from './world.ts';

/** A killed function may have given up a call that is still made, up to this much later. */
export const madeWithinMs = 90_000;

/** Makes a request about an endpoint as its partner does, and records it. */
export async function askFor(
  { time, isCalm, request }: World,
  { authorization, asked }: SimulatedPartner,
  { route, settings, selection }: Asked,
  body?: object,
): Promise<void> {
  const one: EndpointRequest = {
    route,
    ...(settings && { settings }),
    ...(selection && { selection }),
    from: time.now(),
    to: Number.POSITIVE_INFINITY,
  };
  asked.push(one);
  one.outcome = await request(route, { authorization, persistent: true }, body);
  one.to = time.now() + (isCalm ? 0 : madeWithinMs);
}

/** Tells whether the request may enable the endpoint, or deletes it, so that it is another one from then on. */
export function isEnabling({ settings }: EndpointRequest): boolean {
  return settings === 'deleted' || settings?.status === 'enabled';
}

/** Tells whether the request may lift the rests of the endpoint: it closes the circuit. */
export function isLift(request: EndpointRequest): boolean {
  const { settings } = request;
  const isMove = settings !== 'deleted' && (settings?.url !== undefined || settings?.mode !== undefined);
  return isEnabling(request) || isMove;
}

function settingIn(row: Version['row'], name: string): unknown {
  return name === 'mode' ? (row?.['mode'] ?? 'post') : row?.[name];
}

function isAsAsked(row: Version['row'], settings: AskedSettings | 'deleted'): boolean {
  if (!row || settings === 'deleted') return !row && settings === 'deleted';
  return Object.entries(settings).every(([name, value]) => isDeepStrictEqual(settingIn(row, name), value));
}

/** Judges the requests that were answered 200: whether the endpoint was as they asked at some moment of their time. */
export function ignored({ asked, settings: endpoint }: EndpointFacts): Case[] {
  return asked.flatMap(({ route, settings, from, to, outcome }) => {
    if (!settings || outcome?.response?.status !== 200) return [];
    const isDone = wasSo(endpoint, from, to, (row) => isAsAsked(row, settings));
    return [isDone ? undefined : `${route} from ${from} to ${to}: ${JSON.stringify(settings)}`];
  });
}

/** Judges all requests: whether they were refused although nothing was wrong with them. */
export function refusedInVain({ asked, settings: endpoint }: EndpointFacts): Case[] {
  return asked.map(({ route, settings, selection, from, to, outcome }) => {
    const { status, body } = outcome?.response ?? {};
    const mayBe = (expected: number, isSo: (row: Version['row']) => boolean) =>
      status === expected && wasSo(endpoint, from, to, isSo);
    const isRight =
      status === 200 ||
      (selection && mayBe(409, (row) => row?.['status'] === 'disabled')) ||
      (settings === 'deleted' && mayBe(404, (row) => !row));
    return isRight ? undefined : `${route} from ${from} to ${to}: ${status} ${JSON.stringify(body)}`;
  });
}

const names = [
  'status',
  'mode',
  'url',
  'maxPerSecond',
  'kinds',
  'states',
  'timeoutMs',
  'log',
  'basic',
] as const;

/** Returns the settings that differ between two versions of an endpoint and that no request asked for then. */
export function unaskedIn(
  before: Version,
  { row, atMs }: Version,
  asked: readonly EndpointRequest[],
): string[] {
  const made = asked.filter(({ from, to }) => from <= atMs && to >= atMs);
  if (!row) return made.some(({ settings }) => settings === 'deleted') ? [] : ['deleted'];
  return names.filter((name) => {
    const value = settingIn(row, name);
    if (isDeepStrictEqual(value, settingIn(before.row, name))) return false;
    return !made.some(
      ({ settings }) =>
        settings && settings !== 'deleted' && name in settings && isDeepStrictEqual(settings[name], value),
    );
  });
}

/** A change is in the index of what is listed by then, and was not made by an earlier try of the same request. */
const listedWithinMs = 10_000;

/** Rule 52: judges each callback that a replay had to replay, because it had ended a while ago: whether it was left. */
export function leftByReplays({ asked, callbacks }: EndpointFacts): Case[] {
  const spans = callbacks.flatMap(spansOf);
  return asked.flatMap(({ selection, from, to, outcome }) => {
    if (!selection || outcome?.response?.status !== 200) return [];
    const isChosen = (row: Row) =>
      'status' in selection
        ? row['status'] === selection.status
        : row['status'] !== 'waiting' && selection.messageIds.includes(String(row['messageId']));
    return spans.flatMap(({ version: { row }, from: since, until }): Case[] => {
      if (!row || !isChosen(row) || since > from - listedWithinMs || until < from) return [];
      return [until <= to ? undefined : `from ${from} to ${to}: ${JSON.stringify(row)}`];
    });
  });
}
