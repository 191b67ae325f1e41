import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Callback } from '../../../shared/callbacks/callback.ts';
import { noHistory, type Progress } from '../../../shared/callbacks/rows/callback-store.ts';
import { hours } from '../../../shared/platform/runtime/clock.ts';
import { noon } from '../../support/clock.ts';
import { partnerCliRig } from './partner-cli-rig.ts';

type Rig = Awaited<ReturnType<typeof partnerCliRig>>;

/** Stores four callbacks an hour apart, and one of another partner. */
async function storeCallbacks({ callbacks }: Rig) {
  const keep = (messageId: string, hour: number, progress: object, more: Partial<Callback> = {}) => {
    const callback = { partnerId: 'bars', messageId, state: 'DELIVERED', msisdn: 79001234567 } as const;
    const changedAt = noon + hours(hour);
    return callbacks.create(
      { ...callback, changedAt, utm: '{"a":"b"}', ...more },
      { ...noHistory, ...progress } as Progress,
      changedAt,
    );
  };
  const skipped = { status: 'skipped', reason: 'disabled' };
  await keep('m1', 0, skipped);
  const attempt = {
    at: noon + hours(1),
    durationMs: 12,
    httpStatus: 500,
    error: 'status',
    response: 'of 79001234567',
  };
  const failed = { status: 'failed', reason: 'answered 500', tries: 10, attempts: [attempt] };
  await keep('m1', 1, failed, { state: 'OPENED' });
  const timeout = { at: noon + hours(2), durationMs: 15000, error: 'timeout' };
  await keep('m2', 2, { status: 'waiting', dueAt: noon + hours(3), tries: 1, attempts: [timeout] });
  await keep('a3', 3, { status: 'delivered' });
  await keep('m9', 0, skipped, { partnerId: 'bakery' });
}

/** Types a line of a session, and returns what a person sees: `<` is what they answer, and `|` what is piped in. */
async function typed(rig: Rig, line: string): Promise<string> {
  const [, command = '', sign, text = ''] = /^(.+?)(?: ([<|]) (.+))?$/.exec(line) ?? [];
  const person = sign === '<' ? { response: text } : sign === '|' ? { pipes: text } : {};
  // A replay keeps a drain going, also one that finds nothing to send again.
  const rows = async () => (await rig.table.rows()).filter(({ sk }) => sk !== 'CIRCUIT');
  const before = await rows();
  rig.clock.advance(1_000);
  const isElsewhere = /--(stage|table) /.test(command);
  const { exit, out, err } = await (isElsewhere ? rig.exactly(command, person) : rig.run(command, person));
  if (exit !== 0) expect([line, await rows()]).toEqual([line, before]);
  const shown = [...rig.questions.splice(0), out, err, exit === 0 ? '' : `(exit code ${exit})`];
  return shown.filter((one) => one !== '').join('\n');
}

// A session is typed line by line, and what it prints is compared with its file (vitest -u writes it).
test.each([
  ['partners', async () => {}],
  ['callbacks', storeCallbacks],
])('an operator sees what sessions/%s.txt shows, and what fails changes nothing', async (name, prepare) => {
  const file = resolve(import.meta.dirname, `sessions/${name}.txt`);
  const lines = readFileSync(file, 'utf8').match(/(?<=^\$ ).+$/gm) ?? [];
  expect(lines.length).toBeGreaterThan(30);
  const rig = await partnerCliRig();
  await prepare(rig);
  const seen: string[] = [];
  for (const line of lines) seen.push(`$ ${line}\n${await typed(rig, line)}\n`);
  await expect(seen.join('\n').replaceAll(rig.stateDir, 'FOLDER')).toMatchFileSnapshot(file);
});
