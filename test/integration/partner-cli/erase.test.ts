import { expect, test } from 'vitest';
import type { Row } from '../../../shared/platform/table/batches.ts';
import { rowKinds } from '../../../shared/platform/table/row-kinds.ts';
import { noon } from '../../support/clock.ts';
import { fillPartner } from '../../support/sample-partner.ts';
import { partnerCliRig } from './partner-cli-rig.ts';

const bars = { partnerId: 'bars', offerId: 'bars-of-moscow', firstNumber: 79_000_000_000 };
const bakery = { partnerId: 'bars-2', offerId: 'bars-of-moscow.2', firstNumber: 79_500_000_000 };

/** The command usually reads slowly, to leave the table to the service. */
const fast = '--units-per-second 1000000';

async function rows(rig: Awaited<ReturnType<typeof partnerCliRig>>) {
  const all = (await rig.table.rows()) as Row[];
  return new Map(all.map((row) => [`${row.pk} ${row.sk}`, row]));
}

test('nothing of an erased partner remains, everything of the other is as it was, and it can be erased again', async () => {
  const rig = await partnerCliRig();
  await fillPartner(rig.table, { ...bakery, places: 40, nowMs: noon });
  const others = await rows(rig);
  await fillPartner(rig.table, { ...bars, places: 60, nowMs: noon });
  await rig.run('disable bars --yes');
  const before = await rows(rig);

  // Recipients and heartbeats belong to no partner. Every other kind of row is there to be erased.
  const kinds = rowKinds.map(({ name }) => name).filter((name) => !['recipient', 'heartbeat'].includes(name));
  const dry = (await rig.json(`erase bars --dry-run ${fast}`)) as { rows: Record<string, number> };
  expect(Object.keys(dry.rows).sort()).toEqual(kinds.sort());
  expect(dry.rows).toMatchObject({ key: 1, 'service point': 60, 'part of a bulk send': 5, event: 7 });
  expect(await rows(rig)).toEqual(before);

  const erased = await rig.run(`erase bars ${fast}`, { response: 'bars' });
  expect(erased).toMatchObject({ exit: 0, err: '' });
  expect(erased.out.split('\n')[0]).toBe(`Deleted ${before.size - others.size} rows of bars.`);
  expect(erased.out).toContain('npm run partner -- erase bars --offer bars-of-moscow');
  expect(await rows(rig)).toEqual(others);
  expect(JSON.stringify([...(await rows(rig)).values()])).not.toMatch(
    /"bars"|bars-api|bars-of-moscow[^.]|79000000000/,
  );

  // Messages that were still in queues write rows of the erased partner: a receipt's state, and a point of a list.
  await fillPartner(rig.table, { ...bars, places: 3, nowMs: noon });
  for (const key of ['ACCOUNT#bars-api -', 'PARTNERS bars', 'OFFER#bars-of-moscow -']) await rig.remove(key);
  const again = `erase bars --offer bars-of-moscow --yes ${fast}`;
  expect(await rig.run(again)).toMatchObject({ exit: 0, err: '' });
  expect(await rows(rig)).toEqual(others);
  expect((await rig.run(again)).out).toContain('Deleted 0 rows of bars.');
});
