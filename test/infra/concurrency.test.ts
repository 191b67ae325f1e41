import { expect, it } from 'vitest';
import { presets } from '../../bench/capacity/load.ts';
import { estimate } from '../../bench/capacity/report.ts';
import { stages } from '../../infra/config.ts';
import { propertiesOf, templatesOf } from './synthesize.ts';

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

function sum(numbers: number[]) {
  return numbers.reduce((total, number) => total + number, 0);
}

it('rule 48: in prod cash desks have reserved executions, and the console and what takes long have a ceiling', () => {
  expect(reservedIn('prod')).toEqual({
    AuthorizePartner: 90,
    ListCheckIns: 75,
    RegisterCheckIn: 40,
    OpenCheckIn: 45,
    ServeConsole: 30,
    StartSync: 20,
    SendBulk: 40,
    SendMulti: 30,
    GetSync: 20,
    GetSendReport: 20,
    ReplayCallbacks: 10,
    ReadFeed: 15,
  });
});

it.each(['ListCheckIns', 'RegisterCheckIn', 'OpenCheckIn'])(
  'what %s has reserved serves nine times the check-ins of a national retailer, by the duration of a request and by the 10 a second of an execution',
  (name) => {
    const { limits } = estimate({ name, load: presets['national-retailer'] });
    const multiples = [`${name} at once`, `requests a second to ${name}`].map(
      (wanted) => limits.find(({ what }) => what === wanted)?.multiple,
    );
    for (const multiple of multiples) expect(multiple).toBeGreaterThan(8.99);
  },
);

it('where partners have receivers, those have a ceiling, and dev and staging deploy into a new account', () => {
  expect(reservedIn('sandbox')).toEqual({ TakeSandboxCallback: 100 });
  expect([reservedIn('staging'), reservedIn('dev')]).toEqual([{}, {}]);
});

it.each(stages)(
  'in %s every consumed queue has a limit of executions, however long it is, and 200 executions are left for everything else',
  (stage) => {
    const limits = propertiesOf(templatesOf(stage).all, 'AWS::Lambda::EventSourceMapping')
      .filter(({ StartingPosition }) => StartingPosition === undefined)
      .map(({ ScalingConfig }) => ScalingConfig?.MaximumConcurrency);
    for (const limit of limits) expect(limit).toBeGreaterThanOrEqual(2);
    const reserved = sum(Object.values(reservedIn(stage)));
    expect(accountQuota - reserved).toBeGreaterThanOrEqual(neverReserved);
    expect(accountQuota - reserved - sum(limits)).toBeGreaterThanOrEqual(200);
  },
);
