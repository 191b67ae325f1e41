import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { cpuOf } from '../../support/cpu.ts';
import { bars, call } from '../../support/http.ts';
import { pushRig } from '../push/push-rig.ts';

/** The CPU time of this thread, in ms, for the work: the least of five runs, without what gunzip takes elsewhere. */
async function leastCpuMs(work: () => unknown): Promise<number> {
  const runs: number[] = [];
  for (let run = 0; run < 5; run++) runs.push((await cpuOf(work))[0]);
  return Math.min(...runs);
}

async function toPush() {
  const { handlers } = await pushRig();
  return (body: Buffer, headers: Record<string, string>) =>
    call(handlers.bulk, { partner: bars, headers, body });
}

// Each part of the value was listed to look into it: 540 ms, 22 times their parsing.
test('damaged text after 600,000 sound ones is found in time in proportion to the body', async () => {
  const text = `{"msisdn":[1],"more":[${'"",'.repeat(600_000)}"\ufffd"]}`;
  const parsing = await leastCpuMs(() => JSON.parse(text));
  const send = await toPush();
  const body = gzipSync(text);
  const refusing = await leastCpuMs(() => send(body, { 'content-encoding': 'gzip' }));
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
