import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { functionBehind, templatesOf } from './synthesize.ts';

/** Concurrent executions of an account by default; 100 of them cannot be reserved. */
const accountQuota = 1_000;
const neverReserved = 100;

function reservedIn(stage: (typeof stages)[number]): Record<string, number> {
  const functions = Object.entries(templatesOf(stage).all.findResources('AWS::Lambda::Function'));
  return Object.fromEntries(
    functions.flatMap(([id, { Properties }]) =>
      Properties.ReservedConcurrentExecutions === undefined
        ? []
        : [[id, Properties.ReservedConcurrentExecutions]],
    ),
  );
}

function queueMappings(stage: (typeof stages)[number]) {
  return Object.values(templatesOf(stage).all.findResources('AWS::Lambda::EventSourceMapping'))
    .map(({ Properties }) => Properties)
    .filter(({ StartingPosition }) => StartingPosition === undefined);
}

function sum(numbers: number[]) {
  return numbers.reduce((total, number) => total + number, 0);
}

it('in prod the authorizer, the cash desk and the opening of check-ins have reserved concurrency, and the console a ceiling', () => {
  expect(reservedIn('prod')).toEqual({
    AuthorizePartner: 100,
    ListCheckIns: 50,
    RegisterCheckIn: 50,
    OpenCheckIn: 50,
    ServeConsole: 30,
  });
});

it('where partners have receivers, those have a ceiling: their answers may be 20 s late', () => {
  expect(reservedIn('sandbox')).toEqual({ TakeSandboxCallback: 100 });
});

it('docs/capacity.md names both ceilings as they are', () => {
  const page = readFileSync('docs/capacity.md', 'utf8');
  expect(page).toContain(`\`ServeConsole\`, ${reservedIn('prod')['ServeConsole']}.`);
  expect(page).toContain(`\`TakeSandboxCallback\`, ${reservedIn('sandbox')['TakeSandboxCallback']}.`);
});

it('dev and staging reserve nothing, so that they deploy into a new account', () => {
  expect(reservedIn('staging')).toEqual({});
  expect(reservedIn('dev')).toEqual({});
});

it('every queue has a limit of concurrent executions, however long it is', () => {
  const limits = queueMappings('prod').map(({ FunctionName, ScalingConfig }) => [
    functionBehind(FunctionName),
    ScalingConfig?.MaximumConcurrency,
  ]);
  expect(Object.fromEntries(limits)).toEqual({
    ProcessSlice: 50,
    EndFailedSlice: 5,
    RecordReceipts: 50,
    DeliverCallback: 200,
    DeliverSlowCallback: 40,
  });
});

it.each(stages)(
  'in %s every consumed queue has such a limit, and 350 executions are left for everything else',
  (stage) => {
    const limits = queueMappings(stage).map(({ ScalingConfig }) => ScalingConfig?.MaximumConcurrency);
    for (const limit of limits) expect(limit).toBeGreaterThanOrEqual(2);
    const reserved = sum(Object.values(reservedIn(stage)));
    expect(accountQuota - reserved).toBeGreaterThanOrEqual(neverReserved);
    expect(accountQuota - reserved - sum(limits)).toBeGreaterThanOrEqual(350);
  },
);
