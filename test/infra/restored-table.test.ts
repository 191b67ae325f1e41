import { expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { propertiesOf, templatesOf, variablesOf } from './synthesize.ts';

const none = 'arn:aws:dynamodb:::table/none/stream/none';

/** The stacks that use the table, by their names. */
function stacksOf(stage: (typeof stages)[number]) {
  const { service, selfService, sandbox } = templatesOf(stage);
  return Object.entries({ service, selfService, ...(sandbox ? { sandbox } : {}) });
}

it.each(stages)(
  'each stack of %s that uses the table takes a restored one, by the ARN of its stream',
  (stage) => {
    for (const [name, template] of stacksOf(stage)) {
      const { RestoredTableStream } = template.findParameters('RestoredTableStream');
      expect(RestoredTableStream, name).toMatchObject({ Type: 'String', Default: none });
      const allowed = new RegExp(`^(${RestoredTableStream?.['AllowedPattern']})$`);
      const table =
        'arn:aws:dynamodb:eu-central-1:111111111111:table/partner-integration-prod-data-Table-RESTORED';
      expect(allowed.test(none)).toBe(true);
      expect(allowed.test(`${table}/stream/2026-05-20T12:00:00.000`)).toBe(true);
      expect(allowed.test(table)).toBe(false);
      expect(allowed.test('')).toBe(false);
      expect(template.findConditions('OnRestoredTable')).toEqual({
        OnRestoredTable: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'RestoredTableStream' }, none] }] },
      });
    }
  },
);

it.each(stages)('in %s nothing uses the table of the data stack once a restored one is named', (stage) => {
  for (const [name, template] of stacksOf(stage)) {
    const text = JSON.stringify(template.toJSON());
    const imported = [...text.matchAll(/\{"Fn::ImportValue":"[^"]+data:ExportsOutput[^"]*Table[^"]*"\}/g)];
    const chosen = [
      ...text.matchAll(/\{"Fn::If":\["OnRestoredTable",.+?,\{"Fn::ImportValue":"[^"]+"\}\]\}/g),
    ];
    expect(imported.length, name).toBeGreaterThan(10);
    expect(chosen.length, name).toBe(imported.length);
  }
});

// The logical id of a version says nothing of a parameter, and `live` would stay at one with the lost table's name.
it.each(['sandbox', 'prod'] as const)(
  'in %s a restored table makes a new version of each function',
  (stage) => {
    for (const [name, template] of stacksOf(stage)) {
      const versions = propertiesOf(template, 'AWS::Lambda::Version');
      expect(versions.length, name).toBeGreaterThan(5);
      for (const { Description } of versions)
        expect(Description?.['Fn::If']?.[0], JSON.stringify(Description)).toBe('OnRestoredTable');
    }
  },
);

it('name and ARN of the restored table are parts of the ARN of its stream', () => {
  const tableName = variablesOf(templatesOf('prod').service, 'ListCheckIns').TABLE_NAME;
  const stream = { Ref: 'RestoredTableStream' };
  expect(tableName['Fn::If'].slice(0, 2)).toEqual([
    'OnRestoredTable',
    { 'Fn::Select': [1, { 'Fn::Split': ['/', stream] }] },
  ]);
  const policies = JSON.stringify(templatesOf('prod').service.findResources('AWS::IAM::Policy'));
  expect(policies).toContain('{"Fn::Select":[0,{"Fn::Split":["/stream/",{"Ref":"RestoredTableStream"}]}]}');
});
