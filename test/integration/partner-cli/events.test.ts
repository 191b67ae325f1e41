import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import { partnerProgram } from '../../../ops/partner/program.ts';
import { partnerCliRig } from './partner-cli-rig.ts';

/** What an operator types, in order, and the event that the partner finds for it. */
const changes: readonly (readonly [line: string, kind: string])[] = [
  ['limits bars --other-requests 100', 'limits.changed'],
  ['disable bars --yes', 'limits.changed'],
  ['enable bars', 'limits.changed'],
  ['keys create bars --role cash-desk', 'key.created'],
  ['keys rotate bars bars-api', 'key.rotated'],
  ['keys retire bars bars-api --yes', 'key.retired'],
  ['keys limit bars KEY --place bar-1', 'limits.changed'],
  ['keys revoke bars KEY --yes', 'key.deleted'],
  ['callback set bars --url https://bars.example/', 'endpoint.changed'],
  ['callback rotate bars', 'endpoint.changed'],
  ['callback retire bars --yes', 'endpoint.changed'],
  ['callback disable bars --yes', 'endpoint.disabled'],
  ['callback enable bars', 'endpoint.enabled'],
  ['offers add bars bars-of-tver', 'limits.changed'],
  ['offers remove bars bars-of-tver --yes', 'limits.changed'],
];

/** Commands that change nothing, or leave nobody to tell. */
const withoutEvent = [
  'create',
  'list',
  'show',
  'keys list',
  'callbacks list',
  'callbacks replay',
  'events',
  'erase',
  'forget',
];

function namesIn(command: CommandUnknownOpts, before = ''): string[] {
  const name = `${before}${command.name()}`;
  return command.commands.length === 0 ? [name] : command.commands.flatMap((one) => namesIn(one, `${name} `));
}

test('rule 55: every command of operators says which event it writes, or that it writes none', () => {
  const program = partnerProgram(() => async () => {});
  const names = program.commands.flatMap((command) => namesIn(command));
  const said = [...withoutEvent, ...changes.map(([line]) => line.split(/ bars/)[0] ?? '')];
  expect([...new Set(said)].sort()).toEqual(names.sort());
});

test('rule 55: what an operator changes is an event by operator', async () => {
  const rig = await partnerCliRig();
  await rig.createBars();
  type Listed = { events: { eventId: string; kind: string; by?: string; data: { login?: string } }[] };
  const events = async () => ((await rig.json('events bars')) as Listed).events;
  let key = '';
  for (const [line, kind] of changes) {
    rig.clock.advance(1_000);
    const before = new Set((await events()).map(({ eventId }) => eventId));
    expect(await rig.run(line.replace('KEY', key))).toMatchObject({ exit: 0, err: '' });
    const written = (await events()).filter(({ eventId }) => !before.has(eventId));
    expect(written).toMatchObject([{ kind, by: 'operator' }]);
    key = kind === 'key.created' ? String(written[0]?.data.login) : key;
  }
  const { out } = await rig.run('events bars --kind endpoint.disabled');
  expect(out.split('\n').at(-1)).toContain('the callback endpoint was disabled (by an operator)');
});
