import { expect, it } from 'vitest';
import { functionIds, statementsOf } from './statements.ts';
import { templatesOf } from './synthesize.ts';

const { service } = templatesOf('prod');

/** What each function may do beyond its own log and its traces, and where. Anything more or less is a change of rights. */
const rights: Record<string, Record<string, string[]>> = {
  AuthorizePartner: { table: ['GetItem'] },
  StartSync: {
    table: ['BatchWriteItem', 'DeleteItem', 'PutItem', 'UpdateItem'],
    PlacesSync: ['SendMessage'],
  },
  GetSync: { table: ['GetItem', 'Query'] },
  ProcessSlice: {
    table: ['BatchWriteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    PlacesSync: ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'],
  },
  EndFailedSlice: {
    table: ['BatchWriteItem', 'PutItem', 'UpdateItem'],
    PlacesSyncDead: ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'],
  },
  ListCheckIns: { table: ['GetItem', 'Query'] },
  RegisterCheckIn: { table: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'] },
  OpenCheckIn: { table: ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'] },
  ListWalletPlaces: { table: ['GetItem', 'Query'] },
  ListActivePromotions: { table: ['Query'] },
  ListPromotions: { table: ['Query'] },
  GetPromotion: { table: ['GetItem'] },
  CreatePromotion: { table: ['DeleteItem', 'PutItem', 'UpdateItem'] },
  UpdatePromotion: { table: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'] },
  ListWalletPromotions: { table: ['BatchGetItem', 'GetItem', 'Query'] },
};

/** The environment of each function beyond what all have. */
const ownEnvironment: Record<string, string[]> = { StartSync: ['PLACES_QUEUE_URL'] };

const commonEnvironment = [
  'NODE_OPTIONS',
  'POWERTOOLS_LOG_LEVEL',
  'POWERTOOLS_METRICS_NAMESPACE',
  'POWERTOOLS_SERVICE_NAME',
  'TABLE_NAME',
];

const placeOf = (resource: unknown): string => {
  const text = JSON.stringify(resource);
  if (text === '"*"') return '*';
  if (text.includes('ExportsOutputFnGetAttTableArn')) return 'table';
  return /"Fn::GetAtt":\["([^"]+)","Arn"\]/.exec(text)?.[1] ?? text;
};

const ownRightsOf = (id: string): Record<string, string[]> => {
  const byPlace: Record<string, string[]> = {};
  for (const { actions, resources } of statementsOf(service, id)) {
    for (const place of resources.map(placeOf)) {
      byPlace[place] = [...(byPlace[place] ?? []), ...actions].sort();
    }
  }
  return byPlace;
};

it('every function has its rights listed here', () => {
  expect(functionIds(service)).toEqual(Object.keys(rights).sort());
});

it.each(Object.keys(rights))('%s may do exactly what is listed, and otherwise only log and trace', (id) => {
  const service_: Record<string, string> = { table: 'dynamodb', [`${id}Logs`]: 'logs', '*': 'xray' };
  const expected = {
    ...rights[id],
    [`${id}Logs`]: ['CreateLogStream', 'PutLogEvents'],
    '*': ['PutTelemetryRecords', 'PutTraceSegments'],
  };
  expect(ownRightsOf(id)).toEqual(
    Object.fromEntries(
      Object.entries(expected).map(([place, actions]) => [
        place,
        actions.map((action) => `${service_[place] ?? 'sqs'}:${action}`),
      ]),
    ),
  );
});

it('no function may Scan, and no action is a wildcard', () => {
  const actions = functionIds(service).flatMap((id) => statementsOf(service, id).flatMap((s) => s.actions));
  expect(actions).not.toContain('dynamodb:Scan');
  expect(actions.filter((action) => action.includes('*'))).toEqual([]);
});

it('only the authorizer reads accounts, and it reads nothing else', () => {
  for (const id of functionIds(service)) {
    const onTable = statementsOf(service, id).filter(({ resources }) =>
      resources.map(placeOf).includes('table'),
    );
    const operator = id === 'AuthorizePartner' ? 'ForAllValues:StringLike' : 'ForAllValues:StringNotLike';
    expect(onTable.map(({ conditions }) => conditions)).toEqual([
      { [operator]: { 'dynamodb:LeadingKeys': ['ACCOUNT#*'] } },
    ]);
  }
});

it.each(Object.keys(rights))('%s has exactly the environment it reads', (id) => {
  const { Variables } = service.findResources('AWS::Lambda::Function')[id]?.['Properties'].Environment ?? {};
  expect(Object.keys(Variables).sort()).toEqual([...commonEnvironment, ...(ownEnvironment[id] ?? [])].sort());
});

it('each function has a role of its own', () => {
  const roles = Object.entries(service.findResources('AWS::Lambda::Function')).map(([id, { Properties }]) => [
    id,
    Properties.Role,
  ]);
  expect(roles).toEqual(roles.map(([id]) => [id, { 'Fn::GetAtt': [`${id}Role`, 'Arn'] }]));
});
