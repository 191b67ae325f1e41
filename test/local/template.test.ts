import { describe, expect, test } from 'vitest';
import { compileFilters } from '../../local/streams/event-pattern.ts';
import { readAssembly, resolveIntrinsics } from '../../local/template/assembly.ts';
import { readableQueueName, readServiceModel } from '../../local/template/service-model.ts';
import { failure } from '../../ops/cli/command-line.ts';
import { notRunnable } from '../support/runnable.ts';
import { assemblyDir, editedAssembly, type Template } from './fixtures/fixture-service.ts';

function resolved(value: unknown, folder = assemblyDir): unknown {
  const assembly = readAssembly(folder);
  const stack = assembly.stacks.find(({ name }) => name === 'service');
  if (!stack) throw new Error('The fixture has a service stack.');
  return resolveIntrinsics(value, { assembly, stack });
}

describe('an intrinsic function', () => {
  test.each([
    [{ Ref: 'Plain' }, 'http://queue-endpoint.invalid/000000000000/fixture-dev-plain'],
    [{ Ref: 'AWS::Region' }, 'eu-central-1'],
    [{ 'Fn::GetAtt': ['Dead', 'Arn'] }, 'arn:aws:sqs:eu-central-1:000000000000:fixture-dev-dead.fifo'],
    [{ 'Fn::ImportValue': 'data:TableName' }, 'data-Table'],
    [{ 'Fn::Join': ['-', ['a', { Ref: 'AWS::Partition' }]] }, 'a-aws'],
    [{ 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
    [{ Condition: { StringEquals: {} } }, { Condition: { StringEquals: {} } }],
  ])('%j gives %j', (value, expected) => {
    expect(resolved(value)).toEqual(expected);
  });

  test.each<[value: object, sentence: string]>([
    [{ Ref: 'Nothing' }, 'Stack service refers to "Nothing", which is none of its resources.'],
    [{ Ref: 'AWS::StackName' }, 'Stack service refers to "AWS::StackName", which is none of its resources.'],
    [{ Ref: 'AWS::NoValue' }, 'Stack service refers to "AWS::NoValue", which is none of its resources.'],
    [{ Ref: 'Role' }, 'The local runner does not support the Ref of AWS::IAM::Role Role in stack service.'],
    [
      { 'Fn::GetAtt': ['Dead', 'QueueName'] },
      'The local runner does not support the attribute QueueName of AWS::SQS::Queue Dead in stack service.',
    ],
    [{ 'Fn::ImportValue': 'nobody' }, 'Stack service imports "nobody", which no stack exports.'],
    ...['Sub', 'And'].map((name): [object, string] => [
      { [`Fn::${name}`]: [] },
      `The local runner does not support Fn::${name}, which stack service uses.`,
    ]),
  ])('%j stops the start with a sentence', (value, sentence) => {
    expect(() => resolved(value)).toThrow(failure(sentence));
  });
});

describe('a parameter has its default', () => {
  const folder = () =>
    editedAssembly(({ Plain }, template) => {
      template.Parameters = { Restored: { Type: 'String', Default: '' } };
      template.Conditions = {
        IsRestored: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'Restored' }, ''] }] },
        IsNot: { 'Fn::Equals': [{ Ref: 'Restored' }, ''] },
      };
      template.Resources.Extra = { ...Plain, Properties: { QueueName: 'extra' }, Condition: 'IsRestored' };
      template.Resources.Usual = { ...Plain, Properties: { QueueName: 'usual' }, Condition: 'IsNot' };
    });

  test('a condition of it chooses between two values', () => {
    const either = (condition: string) =>
      resolved({ 'Fn::If': [condition, { Ref: 'Restored' }, { Ref: 'AWS::Region' }] }, folder());
    expect([either('IsRestored'), either('IsNot')]).toEqual(['eu-central-1', '']);
  });

  test('a resource under a condition that does not hold is not there', () => {
    const names = readServiceModel(folder()).queues.map(({ name }) => name);
    expect(names).toContain('usual');
    expect(names).not.toContain('extra');
  });
});

/** Things that our templates do not have: the edit that adds one, and the sentence that the check returns. */
const refused: readonly [what: string, edit: (resources: Template) => void, sentence: string][] = [
  [
    'a resource of another type',
    (resources) => {
      resources.Other = { Type: 'AWS::Kinesis::Stream', Properties: {} };
    },
    'Other: AWS::Kinesis::Stream',
  ],
  [
    'an authorizer that looks at the query',
    ({ Authorizer }) => {
      Authorizer.Properties.IdentitySource = ['$request.querystring.key'];
    },
    'Authorizer: IdentitySource.0: must be a header',
  ],
  [
    'a timeout of an integration',
    ({ SlowIntegration }) => {
      SlowIntegration.Properties.TimeoutInMillis = 100;
    },
    'SlowIntegration: Properties: has members that are not known: TimeoutInMillis',
  ],
  [
    'a function behind a route that may outlast the gateway',
    ({ Slow }) => {
      Slow.Properties.Timeout = 30;
    },
    'GET /slow invokes Slow, which may outlast the gateway',
  ],
  [
    'a second API',
    (resources) => {
      resources.OtherApi = resources.Api;
    },
    '2 APIs with 1 stages',
  ],
  [
    'a route authorized by tokens',
    ({ Route2 }) => {
      Route2.Properties.AuthorizationType = 'JWT';
    },
    'Route2: AuthorizationType: must be NONE, AWS_IAM or CUSTOM',
  ],
  [
    'a route for every method',
    ({ Route2 }) => {
      Route2.Properties.RouteKey = 'ANY /echo/{id}';
    },
    'Route2: RouteKey: must be a method and a path of names and {variables}, or $default',
  ],
  [
    'a function without a name',
    ({ Tick }) => {
      delete Tick.Properties.FunctionName;
    },
    'Tick: FunctionName: required',
  ],
  [
    'batches of a queue larger than one receive gives',
    ({ PlainSource }) => {
      PlainSource.Properties.BatchSize = 20;
    },
    'PlainSource: BatchSize: must be at most 10',
  ],
  [
    'a mapping of an unknown queue',
    ({ PlainSource }) => {
      PlainSource.Properties.EventSourceArn = 'arn:aws:sqs:eu-central-1:000000000000:other';
    },
    '"other" is not defined',
  ],
  [
    'a stream from its latest record on',
    ({ ChangesSource }) => {
      ChangesSource.Properties.StartingPosition = 'LATEST';
    },
    'ChangesSource: StartingPosition: must be one of TRIM_HORIZON',
  ],
  [
    'a rule that is off',
    ({ TickRule }) => {
      TickRule.Properties.State = 'DISABLED';
    },
    'TickRule: State: must be one of ENABLED',
  ],
];

describe('a test of our templates names what the local runner would not run as AWS does', () => {
  test('the fixture has nothing of it', () => {
    expect(notRunnable(assemblyDir)).toEqual([]);
  });

  test.each(refused)('%s', (_what, edit, said) => {
    expect(notRunnable(editedAssembly(edit))).toEqual([said]);
  });
});

describe('what the local runner does not support stops the start with a sentence', () => {
  test.each(['cron(0 4 * * ? *)', 'every minute'])('the schedule %s', (expression) => {
    const folder = editedAssembly(({ TickRule }) => {
      TickRule.Properties.ScheduleExpression = expression;
    });
    expect(() => readServiceModel(folder)).toThrow(
      failure(`The local runner does not support the schedule ${expression}.`),
    );
  });

  test.each([
    { a: { b: [{ cidr: '10.0.0.0/8' }] } },
    { a: { b: [{ prefix: 'x' }] } },
    { a: { b: [{ exists: true }] } },
    { a: { b: ['x', { exists: false }] } },
    { a: { b: [1] } },
  ])('the event pattern %j', (pattern) => {
    expect(() => compileFilters([JSON.stringify(pattern)])).toThrow(
      failure(
        'The local runner supports only lists of texts and exists: false in event patterns, not what a.b has.',
      ),
    );
  });
});

describe('a template', () => {
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
      // CDK writes the function like this: its name from the alias's ARN, then the alias.
      resources.PlainSource.Properties.FunctionName = {
        'Fn::Join': ['', [{ 'Fn::Select': [6, { 'Fn::Split': [':', { Ref: 'EchoLive' }] }] }, ':live']],
      };
    });
    const { queues } = readServiceModel(folder).eventSources;
    expect(queues.find(({ id }) => id === 'PlainSource')?.functionName).toBe('Echo');
    expect(resolved({ Ref: 'EchoLive' }, folder)).toBe(
      'arn:aws:lambda:eu-central-1:000000000000:function:Echo:live',
    );
  });

  test('that is missing stops the start', () => {
    expect(() => readServiceModel('/nowhere')).toThrow('No CloudFormation template in /nowhere');
  });
});

test.each([
  ['partner-integration-dev-places-sync.fifo', 'places-sync.fifo'],
  ['plain', 'plain'],
])('the queue %s is called %s', (name, readable) => {
  expect(readableQueueName({ name })).toBe(readable);
});
