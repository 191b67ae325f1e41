// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Fn::Sub is written like this
import { describe, expect, test } from 'vitest';
import { resolveIntrinsics } from '../../local/template/intrinsics.ts';
import { readableQueueName } from '../../local/template/queues.ts';
import { readAssembly } from '../../local/template/read-assembly.ts';
import { readServiceModel } from '../../local/template/service-model.ts';
import { assemblyDir, editedAssembly } from './fixtures/fixture-service.ts';

function resolved(value: unknown): unknown {
  const assembly = readAssembly(assemblyDir);
  const stack = assembly.stacks.find(({ name }) => name === 'service');
  if (!stack) throw new Error('The fixture has a service stack.');
  return resolveIntrinsics(value, { assembly, stack });
}

describe('an intrinsic function', () => {
  test.each([
    [{ Ref: 'Plain' }, 'http://queue-endpoint.invalid/000000000000/fixture-dev-plain'],
    [{ Ref: 'AWS::Region' }, 'eu-central-1'],
    [{ 'Fn::GetAtt': ['Dead', 'Arn'] }, 'arn:aws:sqs:eu-central-1:000000000000:fixture-dev-dead.fifo'],
    [{ 'Fn::GetAtt': 'Dead.QueueName' }, 'fixture-dev-dead.fifo'],
    [{ 'Fn::ImportValue': 'data:TableName' }, 'fixture-table'],
    [
      { 'Fn::Sub': '${AWS::AccountId}/${Echo}/${Dead.QueueName}/${!Left}' },
      '000000000000/Echo/fixture-dev-dead.fifo/${Left}',
    ],
    [{ 'Fn::Sub': ['${A}-${B}', { A: { Ref: 'Echo' }, B: 'b' }] }, 'Echo-b'],
    [{ 'Fn::Join': ['-', ['a', { Ref: 'AWS::Partition' }]] }, 'a-aws'],
    [{ 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
    [{ 'Fn::If': ['Never', 1, 2] }, 2],
    [{ a: [{ Ref: 'AWS::NoValue' }, 1], b: { Ref: 'AWS::NoValue' } }, { a: [1] }],
    [{ Condition: { StringEquals: {} } }, { Condition: { StringEquals: {} } }],
  ])('%j gives %j', (value, expected) => {
    expect(resolved(value)).toEqual(expected);
  });

  test.each([
    [{ 'Fn::GetAZs': '' }, 'Stack service uses Fn::GetAZs, which the local runner does not know.'],
    [{ Ref: 'Nothing' }, 'Stack service refers to "Nothing", which it does not define.'],
    [{ Ref: 'AWS::Moon' }, 'uses the pseudo parameter AWS::Moon'],
    [{ 'Fn::ImportValue': 'nobody' }, 'Stack service imports "nobody", which no stack exports.'],
  ])('%j stops the start with a sentence', (value, sentence) => {
    expect(() => resolved(value)).toThrow(sentence);
  });
});

describe('a template', () => {
  test('with a resource type that cannot be run stops the start', () => {
    const folder = editedAssembly((resources) => {
      resources.Machine = { Type: 'AWS::StepFunctions::StateMachine', Properties: {} };
    });
    expect(() => readServiceModel(folder)).toThrow(
      'The local runner cannot run AWS::StepFunctions::StateMachine (Machine in stack service).',
    );
  });

  test('with an authorizer of another form stops the start', () => {
    const folder = editedAssembly((resources) => {
      resources.Authorizer.Properties.AuthorizerType = 'JWT';
    });
    expect(() => readServiceModel(folder)).toThrow(
      'The local runner cannot run AWS::ApiGatewayV2::Authorizer Authorizer: AuthorizerType',
    );
  });

  test('whose mapping reads an unknown queue stops the start', () => {
    const folder = editedAssembly((resources) => {
      resources.PlainSource.Properties.EventSourceArn = 'arn:aws:sqs:eu-central-1:000000000000:other';
    });
    expect(() => readServiceModel(folder)).toThrow(
      'Mapping PlainSource points to "other", which the templates do not define.',
    );
  });

  test('may call a function by an alias: here there is only one version of it', () => {
    const folder = editedAssembly((resources) => {
      resources.EchoVersion = { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: 'Echo' } } };
      resources.EchoLive = {
        Type: 'AWS::Lambda::Alias',
        Properties: {
          FunctionName: { Ref: 'Echo' },
          FunctionVersion: { 'Fn::GetAtt': ['EchoVersion', 'Version'] },
          Name: 'live',
        },
      };
      // As CDK writes it: the name out of the alias's ARN, then the alias.
      resources.PlainSource.Properties.FunctionName = {
        'Fn::Join': ['', [{ 'Fn::Select': [6, { 'Fn::Split': [':', { Ref: 'EchoLive' }] }] }, ':live']],
      };
    });
    const { queues } = readServiceModel(folder).eventSources;
    expect(queues.find(({ id }) => id === 'PlainSource')?.functionName).toBe('Echo');
    const assembly = readAssembly(folder);
    const [stack] = assembly.stacks.filter(({ name }) => name === 'service');
    if (!stack) throw new Error('The fixture has a service stack.');
    expect(resolveIntrinsics([{ Ref: 'EchoLive' }, { Ref: 'EchoVersion' }], { assembly, stack })).toEqual([
      'arn:aws:lambda:eu-central-1:000000000000:function:Echo:live',
      'arn:aws:lambda:eu-central-1:000000000000:function:Echo:1',
    ]);
  });

  test('that is missing stops the start', () => {
    expect(() => readServiceModel('/nowhere')).toThrow('No CloudFormation template in /nowhere');
  });

  test('gives functions without a name their logical id', () => {
    expect(readServiceModel(assemblyDir).functions.map(({ name }) => name)).toContain('Authorize');
  });
});

test.each([
  ['partner-integration-dev-places-sync.fifo', 'PlacesSync', 'places-sync.fifo'],
  ['plain', 'Plain', 'plain'],
  ['stack-PlainQueue0A1B2C3D', 'PlainQueue0A1B2C3D', 'PlainQueue'],
])('the queue %s (%s) is called %s', (name, logicalId, readable) => {
  expect(readableQueueName({ name, logicalId, visibilityTimeoutSeconds: 30, attributes: {} })).toBe(readable);
});
