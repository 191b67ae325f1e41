import { expect, test } from 'vitest';
import { runProgram } from '../../build/command-line.ts';
import { type ChaosOptions, chaosCommand } from '../simulation/chaos/command.ts';
import { balances } from '../simulation/chaos/ledger.ts';
import { createPlacesModel } from '../simulation/chaos/places-model.ts';
import { runUnderFaults } from '../simulation/chaos/run-under-faults.ts';
import { sizes } from '../simulation/chaos/sizes.ts';

test('under faults of every kind nothing is lost, duplicated or mixed up', async () => {
  const { ledger, faults } = await runUnderFaults({
    ...sizes.short,
    flowSeconds: 6,
    maxPlaces: 250,
    seed: 2026,
    assemblyDir: 'cdk.out',
    progress: () => undefined,
  });
  expect(ledger.entries.filter((line) => !balances(line))).toEqual([]);
  // Faults happened, and requests succeeded: an empty ledger balances too.
  expect(faults.throttled + faults.serverError).toBeGreaterThan(5);
  expect(faults.cutBefore + faults.cutAfter).toBeGreaterThan(0);
  const expectedOf = (what: string) => ledger.entries.find((line) => line.what === what)?.expected;
  expect(expectedOf('sessions that were answered are FINISHED')).toBeGreaterThan(0);
  expect(expectedOf('pushes answered ENQUEUED reached the outbox')).toBeGreaterThan(20);
  expect(expectedOf('callbacks of the healthy partner arrived')).toBeGreaterThan(20);
});

test('the model of service points detects a list that overtook another, and points that were left behind', () => {
  const list = (marker: string, ...itemIds: string[]) => ({
    marker,
    places: itemIds.map((itemId) => ({ itemId, name: marker })),
  });
  const finished = { kind: 'finished', held: false, errors: new Map() } as const;
  const model = createPlacesModel();
  model.apply(list('one', 'a', 'b'), finished);
  model.apply(list('two', 'a'), finished);
  expect(
    model.differences(
      new Map([
        ['a', 'one'],
        ['b', 'one'],
      ]),
    ),
  ).toEqual(['a: "one" instead of "two"', 'b: "one" instead of "(absent)"']);
});

test('a session without a response may have taken effect or not, point by point', () => {
  const model = createPlacesModel();
  model.apply({ marker: 'one', places: [{ itemId: 'a', name: 'one' }] }, { kind: 'unknown' });
  expect(model.differences(new Map())).toEqual([]);
  model.apply({ marker: 'one', places: [{ itemId: 'a', name: 'one' }] }, { kind: 'unknown' });
  expect(model.differences(new Map([['a', 'one']]))).toEqual([]);
  expect(model.differences(new Map([['a', 'two']]))).toEqual(['a: "two" instead of "one"']);
});

/** Reads a command line as `npm run chaos --` does, without running it. */
async function read(words: string[]) {
  const errors: string[] = [];
  let options: ChaosOptions | undefined;
  const command = chaosCommand(7, async (given) => {
    options = given;
  });
  const exit = await runProgram(command, words, {
    print: () => {},
    printError: (text) => errors.push(text),
  });
  return { exit, errors, options };
}

test.each([
  [['--seed', 'x'], '--seed takes a whole number from 0 on, not "x".'],
  [['--minutes', '0'], '--minutes takes a number above 0 and up to 60, not "0".'],
  [['--crash', '--short'], '--crash runs the crashes alone: leave out --no-crash and --short.'],
  [['--loud'], "Unknown option '--loud': --help lists the options."],
])('npm run chaos refuses %j', async (words, sentence) => {
  expect(await read(words)).toEqual({ exit: 2, errors: [sentence] });
});

test('a long run is one of three minutes or more, and a short one leaves the crashes out', async () => {
  expect((await read(['--minutes', '5'])).options).toEqual({
    seed: 7,
    size: 'long',
    minutes: 5,
    crash: 'also',
    json: false,
  });
  expect((await read(['--short', '--seed', '3'])).options).toEqual({
    seed: 3,
    size: 'short',
    crash: 'not',
    json: false,
  });
});
