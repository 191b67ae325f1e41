import { expect, test } from 'vitest';
import { compileFilters } from '../../local/streams/event-pattern.ts';
import { readAssembly, resolveIntrinsics } from '../../local/template/assembly.ts';
import { readServiceModel } from '../../local/template/service-model.ts';
import { failure } from '../../ops/cli/command-line.ts';
import { notRunnable } from '../support/runnable.ts';
import { assemblyDir, editedAssembly, type Template } from './fixtures/fixture-service.ts';

function resolved(value: unknown, folder = assemblyDir): unknown {
  const assembly = readAssembly(folder);
  const stack = assembly.stacks.find(({ name }) => name === 'service');
  if (!stack) throw new Error('The fixture has a service stack.');
  return resolveIntrinsics(value, { assembly, stack });
}

test.each([
  [{ Ref: 'Plain' }, 'http://queue-endpoint.invalid/000000000000/fixture-dev-plain'],
  [{ Ref: 'AWS::Region' }, 'eu-central-1'],
  [{ 'Fn::GetAtt': ['Dead', 'Arn'] }, 'arn:aws:sqs:eu-central-1:000000000000:fixture-dev-dead.fifo'],
  [{ 'Fn::ImportValue': 'data:TableName' }, 'data-Table'],
  [{ 'Fn::Join': ['-', ['a', { Ref: 'AWS::Partition' }]] }, 'a-aws'],
  [{ 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
  [{ Condition: { StringEquals: {} } }, { Condition: { StringEquals: {} } }],
])('the intrinsic function %j gives %j', (value, expected) => {
  expect(resolved(value)).toEqual(expected);
});

test.each<[value: object, sentence: string]>([
  [{ Ref: 'Nothing' }, 'Stack service refers to "Nothing", which is none of its resources.'],
  [{ Ref: 'Role' }, 'The local runner does not support the Ref of AWS::IAM::Role Role in stack service.'],
  [{ 'Fn::ImportValue': 'nobody' }, 'Stack service imports "nobody", which no stack exports.'],
  [{ 'Fn::Sub': [] }, 'The local runner does not support Fn::Sub, which stack service uses.'],
])('%j stops the start with a sentence', (value, sentence) => {
  expect(() => resolved(value)).toThrow(failure(sentence));
});

test('a parameter has its default, by which conditions choose values and resources', () => {
  const folder = editedAssembly(({ Plain }, template) => {
    template.Parameters = { Restored: { Type: 'String', Default: '' } };
    const isNot = { 'Fn::Equals': [{ Ref: 'Restored' }, ''] };
    template.Conditions = { IsRestored: { 'Fn::Not': [isNot] }, IsNot: isNot };
    template.Resources.Extra = { ...Plain, Properties: { QueueName: 'extra' }, Condition: 'IsRestored' };
    template.Resources.Usual = { ...Plain, Properties: { QueueName: 'usual' }, Condition: 'IsNot' };
  });
  const either = (condition: string) =>
    resolved({ 'Fn::If': [condition, { Ref: 'Restored' }, { Ref: 'AWS::Region' }] }, folder);
  expect([either('IsRestored'), either('IsNot')]).toEqual(['eu-central-1', '']);
  const names = readServiceModel(folder).queues.map(({ name }) => name);
  expect(names).toContain('usual');
  expect(names).not.toContain('extra');
});

/** Things that our templates do not have: the resource and the property that adds one, and the sentence of the check. */
test.each([
  ['Other', undefined, { Type: 'AWS::Kinesis::Stream', Properties: {} }, 'Other: AWS::Kinesis::Stream'],
  ['SlowIntegration', 'TimeoutInMillis', 100, 'SlowIntegration: TimeoutInMillis: 100'],
  ['Slow', 'Timeout', 30, 'GET /slow invokes Slow, which may outlast the gateway'],
  ['Route2', 'AuthorizationType', 'JWT', 'Route2: AuthorizationType: "JWT"'],
  ['PlainSource', 'BatchSize', 20, 'PlainSource: BatchSize: 20'],
  ['PlainSource', 'EventSourceArn', 'arn:aws:sqs:eu-central-1:000000000000:other', '"other" is not defined'],
  ['TickRule', 'State', 'DISABLED', 'TickRule: State: "DISABLED"'],
])('a test of our templates would name %s.%s %j', (id, property, value, said) => {
  const folder = editedAssembly((resources: Template) => {
    if (property === undefined) resources[id] = value;
    else resources[id].Properties[property] = value;
  });
  expect(notRunnable(folder)).toEqual([said]);
});

test('what the local runner does not support stops the start with a sentence', () => {
  const folder = editedAssembly(({ TickRule }) => {
    TickRule.Properties.ScheduleExpression = 'cron(0 4 * * ? *)';
  });
  expect(() => readServiceModel(folder)).toThrow(
    failure('The local runner does not support the schedule cron(0 4 * * ? *).'),
  );
  const sentence =
    'The local runner supports only lists of texts and exists: false in event patterns, not what a.b has.';
  for (const one of [{ prefix: 'x' }, { exists: true }, 1])
    expect(() => compileFilters([JSON.stringify({ a: { b: [one] } })])).toThrow(failure(sentence));
  expect(() => readServiceModel('/nowhere')).toThrow('No CloudFormation template in /nowhere');
});
