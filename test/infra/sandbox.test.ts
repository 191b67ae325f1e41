import { expect, it } from 'vitest';
import type { stages } from '../../infra/config.ts';
import { functionIds } from './permissions.ts';
import { resource, templatesOf, variablesOf } from './synthesize.ts';

/** The functions that register recipients or log callbacks know whether the wallet is simulated. */
function walletsOf(stage: (typeof stages)[number]) {
  const ids = ['UpdateRecipients', 'PutEndpoint', 'GetEndpoint', 'DeliverCallback', 'DeliverSlowCallback'];
  return [...new Set(ids.map((id) => variablesOf(templatesOf(stage).all, id).WALLET))];
}

// test/infra/local-model.test.ts compares the functions and routes of the stages.
it.each(['staging', 'prod'] as const)('%s has a real wallet platform', (stage) => {
  expect(templatesOf(stage).sandbox).toBeUndefined();
  expect(walletsOf(stage)).toEqual(['real']);
});

it.each(['dev', 'sandbox'] as const)('in %s functions stand in for the wallet platform', (stage) => {
  const { sandbox } = templatesOf(stage);
  expect(sandbox && functionIds(sandbox).join(' ')).toBe(
    'DeletePhone GetPhone GetSandboxReceiver ListPhones OpenPhoneMessage OpenSandboxCheckIn PutPhone ' +
      'PutSandboxReceiver RemoveMessages ReportReceipts ShowMessages TakeSandboxCallback',
  );
  expect(walletsOf(stage)).toEqual(['simulated']);
});

it('503 of full places, and of receivers by request of partners or beyond the ceiling, is no server error of the stage', () => {
  const { Metrics } = resource(templatesOf('sandbox').service, 'AWS::CloudWatch::Alarm', 'ServerErrors');
  const counted = (Metrics as { Id: string; MetricStat?: { Metric: { MetricName: string } } }[]).map(
    ({ Id, MetricStat }) => [Id, MetricStat?.Metric.MetricName],
  );
  expect(Object.fromEntries(counted)).toMatchObject({
    excluded0: 'Throttles',
    excluded1: 'Errors',
    excluded2: 'RefusedAs503',
    excluded4: 'RefusedAs503',
    excluded5: 'RefusedAs503',
    excluded6: 'Throttles',
  });
});

it('rule 20: a partner sends 1,000 recipients a minute on the sandbox and 100,000 elsewhere, unless agreed', () => {
  const rateOf = (stage: (typeof stages)[number]) =>
    variablesOf(templatesOf(stage).service, 'AuthorizePartner').PUSHES_PER_MINUTE;
  expect([rateOf('dev'), rateOf('sandbox'), rateOf('prod')]).toEqual(['100000', '1000', '100000']);
});
