import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { functionBehind, templatesOf } from './synthesize.ts';

/** The default number of concurrent executions in an account, of which 100 cannot be reserved. */
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

function sumReserved(stage: (typeof stages)[number]) {
  return sum(Object.values(reservedIn(stage)));
}

it('rule 48: in prod cash desks have reserved executions, and the console and what takes long have a ceiling', () => {
  expect(reservedIn('prod')).toEqual({
    AuthorizePartner: 100,
    ListCheckIns: 50,
    RegisterCheckIn: 50,
    OpenCheckIn: 50,
    ServeConsole: 30,
    StartSync: 20,
    SendBulk: 40,
    SendMulti: 30,
    GetSync: 20,
    GetSendReport: 20,
    ReplayCallbacks: 10,
  });
});

it('where partners have receivers, those have a ceiling: their answers may be 20 s late', () => {
  expect(reservedIn('sandbox')).toEqual({ TakeSandboxCallback: 100 });
});

it('the pages say what is reserved, and what quota of the account that needs', () => {
  const [prod, sandbox] = [sumReserved('prod'), sumReserved('sandbox')];
  const workers = (stage: (typeof stages)[number]) =>
    sum(queueMappings(stage).map(({ ScalingConfig }) => ScalingConfig.MaximumConcurrency));
  const sentences = {
    deploying: [
      `Prod reserves ${prod} and the sandbox ${sandbox}, and AWS keeps 100 `,
      `prod does not deploy below ${prod + 100}, the sandbox not below ${sandbox + 100}, both in one account not below ${prod + sandbox + 100}.`,
      `full queues of one stage take up to ${workers('sandbox')} of the rest`,
    ],
    operations: [`${workers('prod')} workers, ${prod} reserved in prod`],
  };
  const missing = Object.entries(sentences).map(([name, needed]) => {
    const page = readFileSync(`docs/${name}.md`, 'utf8');
    return [name, needed.filter((sentence) => !page.includes(sentence))];
  });
  expect(Object.fromEntries(missing)).toEqual({ deploying: [], operations: [] });
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
    ProcessSync: 50,
    EndFailedSync: 5,
    RecordReceipts: 50,
    AdvanceSends: 20,
    DeliverCallback: 200,
    DeliverSlowCallback: 40,
  });
});

it.each(stages)(
  'in %s every consumed queue has such a limit, and 200 executions are left for everything else',
  (stage) => {
    const limits = queueMappings(stage).map(({ ScalingConfig }) => ScalingConfig?.MaximumConcurrency);
    for (const limit of limits) expect(limit).toBeGreaterThanOrEqual(2);
    const reserved = sumReserved(stage);
    expect(accountQuota - reserved).toBeGreaterThanOrEqual(neverReserved);
    expect(accountQuota - reserved - sum(limits)).toBeGreaterThanOrEqual(200);
  },
);
