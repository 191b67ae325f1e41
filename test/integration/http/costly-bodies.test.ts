import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bars, call, forBars } from '../../support/http.ts';
import { syncRig } from '../places/sync-rig.ts';
import { pushRig } from '../push/push-rig.ts';

/** Names that are compared with `dryRun` without their separators. Each is longer than the one before by one. */
function* growing() {
  for (let length = 0; ; length++) yield `${'_'.repeat(length)}dryRunnn`;
}

/** Names of 30 characters that are `dryRun` without their separators, which differ from name to name. */
function* almostKnown() {
  for (let n = 0; ; n++) {
    const separators = n.toString(2).padStart(24, '0').replaceAll('0', '-').replaceAll('1', '_');
    yield [...'dryRun'].map((letter, at) => separators.slice(at * 4, at * 4 + 4) + letter).join('');
  }
}

/** The response to a PUT of the wallet platform. */
async function toRecipients() {
  const { handlers } = await pushRig();
  return (body: Buffer, headers: Record<string, string>) => call(handlers.recipients, { headers, body });
}

/** An object of the size with members of these names. */
function objectWith(names: Iterable<string>, bytes: number): string {
  const members: string[] = [];
  let left = bytes;
  for (const name of names) {
    left -= name.length + 5;
    if (left < 0) break;
    members.push(`"${name}":1`);
  }
  return `{${members.join(',')}}`;
}

/** Names of the same lengths that resemble no known one. */
function* unlike(names: Iterable<string>) {
  let n = 0;
  for (const { length } of names) yield String(n++).padEnd(length, 'z').slice(0, length);
}

/** The CPU time of this thread, in ms, for the work: the least of five runs, without what gunzip takes elsewhere. */
async function cpuMs(work: () => unknown): Promise<number> {
  const runs: number[] = [];
  for (let run = 0; run < 5; run++) {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    runs.push((user + system) / 1_000);
  }
  return Math.min(...runs);
}

async function toPush() {
  const { handlers } = await pushRig();
  return (body: Buffer, headers: Record<string, string>) =>
    call(handlers.bulk, { partner: bars, headers, body });
}

async function toPlaces() {
  const rig = await syncRig();
  return (body: Buffer, headers: Record<string, string>) =>
    rig.send(body, { headers: { ...forBars.headers, ...headers } });
}

// When each name was compared with each known one letter by letter, these took 30 to 120, 17 and 7 times as long as
// their parsing. 64 MB of the third took ten seconds, and ended in a response that was too large.
test.each([
  ['a bulk send with 2 MB of separators', toPush, growing, 1_999_000],
  ['a list with 8 MB of separators', toPlaces, growing, 8_000_000],
  ['a list with 120,000 misspelt names', toPlaces, almostKnown, 4_000_000],
])('rule 59: %s takes time in proportion to its size', async (what, connect, names, bytes) => {
  const send = await connect();
  const headers = { 'content-encoding': 'gzip' };
  const body = gzipSync(objectWith(names(), bytes));
  const usual = gzipSync(objectWith(unlike(names()), bytes));
  const { status, headers: responded } = await send(body, headers);
  expect([status, responded['x-error']]).toEqual([400, 'REQUEST_INVALID']);
  const refusing = await cpuMs(() => send(body, headers));
  const usually = await cpuMs(() => send(usual, headers));
  console.log(`${what}: ${refusing.toFixed(1)} ms, with names that resemble none ${usually.toFixed(1)} ms`);
  expect(refusing / usually).toBeLessThan(4);
});

// Every number was validated before they were counted, and each had an issue: 390 ms, 250 times their parsing.
test('120,000 numbers that are none are counted before each is validated', async () => {
  const send = await toRecipients();
  const text = `{"registered":[${'0,'.repeat(119_999)}0]}`;
  const { status, body } = await send(gzipSync(text), { 'content-encoding': 'gzip' });
  expect([status, body]).toEqual([
    400,
    {
      status: 'REQUEST_INVALID',
      errors: ['registered and unregistered: 120000 numbers, send 1 to 1000 a call'],
    },
  ]);
});

// Each part of the value was listed to look into it: 540 ms, 22 times their parsing.
test('damaged text after 600,000 sound ones is found in time in proportion to the body', async () => {
  const text = `{"msisdn":[1],"more":[${'"",'.repeat(600_000)}"\ufffd"]}`;
  const parsing = await cpuMs(() => JSON.parse(text));
  const send = await toPush();
  const body = gzipSync(text);
  const refusing = await cpuMs(() => send(body, { 'content-encoding': 'gzip' }));
  console.log(`damaged text: ${refusing.toFixed(1)} ms, parsed in ${parsing.toFixed(1)} ms`);
  expect(refusing / parsing).toBeLessThan(12);
});

test('a sentence shows the first 100 characters of a name: those of megabytes did not fit into a response', async () => {
  const send = await toPush();
  const damaged = `\ufffd${'n'.repeat(900_000)}`;
  const body = gzipSync(`{"payload":{"${damaged}":{"\ufffd":1}}}`);
  const { body: refusal } = await send(body, { 'content-encoding': 'gzip' });
  expect((refusal as { errors: string[] }).errors).toContain(
    `payload.\ufffd${'n'.repeat(99)}...: holds U+FFFD, which stands for bytes that were not UTF-8: the text is damaged, send it in UTF-8`,
  );
});
