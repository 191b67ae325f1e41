import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import { partnerProgram } from '../../../ops/partner/program.ts';
import { noHistory, type Progress } from '../../../shared/callbacks/rows/callback-store.ts';
import { newLogin } from '../../../shared/partners/credentials.ts';
import { noon } from '../../support/clock.ts';
import { operatorPolicy } from '../../support/operator-policies.ts';
import { fillPartner } from '../../support/sample-partner.ts';
import { partnerCliRig } from './partner-cli-rig.ts';

/** The second login that this command line makes, which the rig's ids determine. */
const till = newLogin('bars', Buffer.alloc(16, 2).toString('base64url'));

/** Every command, in an order in which each has something to do, and the event that bars finds for it, if any. */
const everyday: readonly (readonly [line: string, kind?: string])[] = [
  ['create bars --login bars-api --offer bars-of-moscow'],
  ['show bars'],
  ['list'],
  ['offers add bars bars-of-kazan', 'limits.changed'],
  ['offers remove bars bars-of-kazan --yes', 'limits.changed'],
  ['limits bars --pushes-per-minute 10 --check-in-minutes 30 --offer bars-of-moscow', 'limits.changed'],
  ['keys create bars --role cash-desk --place bar-1', 'key.created'],
  [`keys limit bars ${till} --offer bars-of-moscow`, 'limits.changed'],
  ['keys list bars'],
  [`keys revoke bars ${till} --yes`, 'key.deleted'],
  ['keys rotate bars', 'key.rotated'],
  ['keys retire bars --yes', 'key.retired'],
  ['callback set bars --url https://bars.example/callback', 'endpoint.changed'],
  ['callback disable bars --yes', 'endpoint.disabled'],
  ['callback enable bars', 'endpoint.enabled'],
  ['callback rotate bars', 'endpoint.changed'],
  ['callback retire bars --yes', 'endpoint.changed'],
  ['callbacks list bars'],
  ['callbacks replay bars --message m1'],
  ['callbacks replay bars --status skipped --yes'],
  ['events bars'],
  ['disable bars --yes', 'limits.changed'],
  ['enable bars', 'limits.changed'],
  ['forget --yes'],
  ['disable bakery --yes'],
  ['erase bakery --yes'],
];

function namesIn(command: CommandUnknownOpts, before = ''): string[] {
  const name = `${before}${command.name()}`;
  return command.commands.length === 0 ? [name] : command.commands.flatMap((one) => namesIn(one, `${name} `));
}

test('every command is one of those whose rights and events are proven here', () => {
  const program = partnerProgram(() => async () => {});
  const names = program.commands.flatMap((command) => namesIn(command));
  expect(
    names.filter((name) => !everyday.some(([line]) => line.startsWith(`${name} `) || line === name)),
  ).toEqual([]);
});

test('rule 55: the documented policies allow what the commands call, and no more, and what these change is an event by operator', async () => {
  const rig = await partnerCliRig();
  const skipped: Progress = { ...noHistory, status: 'skipped', reason: 'disabled' };
  const callback = { partnerId: 'bars', state: 'DELIVERED', msisdn: 79001234567, changedAt: noon } as const;
  for (const messageId of ['m1', 'm2']) await rig.callbacks.create({ ...callback, messageId }, skipped, noon);
  const bakery = { partnerId: 'bakery', offerId: 'bakery-club', firstNumber: 79_000_000_000 };
  await fillPartner(rig.table, { ...bakery, places: 5, nowMs: noon });
  const seen = new Set<unknown>();
  const written = async () => {
    const rows = (await rig.table.rows()).filter(({ pk, sk }) => pk === 'EVENTS#bars' && !seen.has(sk));
    for (const { sk } of rows) seen.add(sk);
    // A limit of the partner and one of its offer are an event each.
    return [...new Set(rows.map(({ kind, by }) => `${kind} by ${by}`))];
  };
  for (const [line, kind] of everyday) {
    rig.clock.advance(1_000);
    const err = line.startsWith('forget') ? 'Reading the number from standard input.' : '';
    expect([line, await rig.run(line, { pipes: '79000000000' })]).toMatchObject([line, { exit: 0, err }]);
    expect([line, await written()]).toEqual([line, kind === undefined ? [] : [`${kind} by operator`]]);
  }
  const { out } = await rig.run('events bars --kind endpoint.disabled');
  expect(out.split('\n').at(-1)).toContain('the callback endpoint was disabled (by an operator)');
  rig.engine.standForAws();
  expect((await rig.exactly('list --stage dev')).err).toBe(
    'Stage dev has no table in eu-central-1 in this account: choose others by AWS_PROFILE and AWS_REGION.',
  );
  for (const policy of ['partners', 'erase'] as const)
    expect(rig.engine.unused(operatorPolicy(policy))).toEqual([]);
});
