import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { invokeOnce } from '../../local/invoke/invoke-once.ts';
import { functionNamed, readServiceModel } from '../../local/template/service-model.ts';
import { editedAssembly, row, startFixture, type Template } from './fixtures/fixture-service.ts';

/** Calls the table as the event says, with nothing but the environment of a function. */
const code = `export const handler = async ({ operation, input }) => {
  const response = await fetch(process.env.AWS_ENDPOINT_URL_DYNAMODB, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.' + operation,
      'x-amz-security-token': process.env.AWS_SESSION_TOKEN,
    },
    body: JSON.stringify(input),
  });
  return { status: response.status, body: await response.json() };
};`;

const table = { 'Fn::ImportValue': 'data:ExportsOutputFnGetAttTableArn' };

function statement(actions: readonly string[], keys: readonly string[], Resource: unknown = table) {
  return {
    Effect: 'Allow',
    Action: actions.map((action) => `dynamodb:${action}`),
    Resource,
    Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } },
  };
}

const own = [
  statement(['GetItem', 'BatchGetItem', 'Query'], ['OWN#*', 'ALONE']),
  statement(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'], ['OWN#*']),
  statement(['GetItem', 'BatchGetItem'], ['OTHER#*']),
  {
    Effect: 'Allow',
    Action: 'dynamodb:Query',
    Resource: { 'Fn::Join': ['', [table, '/index/due']] },
  },
];

/** Starts the fixture with a function Keeper, which has these rights, and Stranger, which has none. */
async function startKeeper() {
  const assemblyDir = editedAssembly((resources: Template) => {
    for (const id of ['Keeper', 'Stranger']) {
      resources[id] = structuredClone(resources.Inspect);
      Object.assign(resources[id].Properties, { FunctionName: id, Handler: 'keeper.handler' });
    }
    resources.KeeperPolicy = {
      Type: 'AWS::IAM::Policy',
      Properties: { Roles: [{ Ref: 'KeeperRole' }], PolicyDocument: { Statement: own } },
    };
  });
  writeFileSync(join(assemblyDir, 'code', 'keeper.mjs'), code);
  const { service, put } = await startFixture({ assemblyDir, underRoles: true });
  const call = async (operation: string, input: object, id = 'Keeper') => {
    const response = await service.invoke(id, { operation, input: { TableName: 'data-Table', ...input } });
    return response as { status: number; body: { message?: string; Items?: unknown[] } };
  };
  /** Invokes it as `npm run invoke` does. */
  const callOnce = async (operation: string, input: object, id = 'Keeper') => {
    const fn = functionNamed(id, readServiceModel(assemblyDir));
    const event = { operation, input: { TableName: 'data-Table', ...input } };
    return invokeOnce(fn, service.endpoints, event, { rolesIn: assemblyDir });
  };
  return { call, callOnce, put, refused: async () => service.meter?.refused() };
}

function keyOf(pk: string) {
  return { pk: { S: pk }, sk: { S: '-' } };
}

function batchOf(...pks: string[]) {
  return { RequestItems: { 'data-Table': { Keys: pks.map(keyOf) } }, TableName: undefined };
}

function putAll(...pks: string[]) {
  const TransactItems = pks.map((pk) => ({ Put: { TableName: 'data-Table', Item: row(pk) } }));
  return { TransactItems, TableName: undefined };
}

function queryOf(pk: string) {
  return { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': { S: pk } } };
}

test('a function reads and writes the rows that its role names; any other call is refused as in AWS, and reaches no row', async () => {
  const { call, put, refused } = await startKeeper();
  for (const [operation, input] of [
    ['PutItem', { Item: row('OWN#1') }],
    ['GetItem', { Key: keyOf('OWN#1') }],
    ['GetItem', { Key: keyOf('ALONE') }],
    ['BatchGetItem', batchOf('OWN#1', 'ALONE')],
    ['TransactWriteItems', putAll('OWN#2')],
    ['Query', queryOf('OWN#1')],
  ] as const)
    expect((await call(operation, input)).status, operation).toBe(200);
  expect(await refused()).toEqual([]);

  await put('OTHER#1');
  for (const [sentence, operation, input, id] of [
    ['Keeper may not PutItem OTHER#2 of table', 'PutItem', { Item: row('OTHER#2') }],
    ['Keeper may not DeleteItem OTHER#1 of table', 'DeleteItem', { Key: keyOf('OTHER#1') }],
    ['Keeper may not GetItem ALONE#1 of table', 'GetItem', { Key: keyOf('ALONE#1') }],
    // Each of these rows may be read, but no statement allows both.
    ['Keeper may not BatchGetItem OWN#1, OTHER#1 of table', 'BatchGetItem', batchOf('OWN#1', 'OTHER#1')],
    ['Keeper may not PutItem OTHER#3 of table', 'TransactWriteItems', putAll('OWN#3', 'OTHER#3')],
    ['Keeper may not Scan every row of table', 'Scan', {}],
    ['Keeper may not Query OWN#1 of listed', 'Query', { ...queryOf('OWN#1'), IndexName: 'listed' }],
    // An index may be read whole, which says nothing of the table.
    ['Keeper may not Query OTHER#1 of table', 'Query', queryOf('OTHER#1')],
    ['Stranger may not GetItem OWN#1 of table', 'GetItem', { Key: keyOf('OWN#1') }, 'Stranger'],
  ] as const) {
    expect(await call(operation, input, id)).toMatchObject({
      status: 400,
      body: { __type: 'com.amazon.coral.service#AccessDeniedException' },
    });
    expect(await refused()).toEqual([sentence]);
  }
  expect((await call('GetItem', { Key: keyOf('OTHER#1') })).body).toHaveProperty('Item');
  expect((await call('GetItem', { Key: keyOf('OWN#3') })).body).not.toHaveProperty('Item');
});

test('a function that is invoked alone has its role too', async () => {
  const { callOnce, put } = await startKeeper();
  await put('OWN#1');
  const asked = ['GetItem', { Key: keyOf('OWN#1') }] as const;
  expect(await callOnce(...asked)).toMatchObject({ response: { status: 200 }, units: { read: 0.5 } });
  expect(await callOnce(...asked, 'Stranger')).toMatchObject({
    response: { status: 400 },
    units: { calls: 0 },
  });
});
