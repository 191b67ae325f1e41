import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { documented } from '../../docs/generate/operations.ts';
import { stages } from '../../infra/config.ts';
import { accessCases } from '../security/access-control/access-cases.ts';
import { functionIds, permissionsIn, resourceName, statementsOf, statementsOfRole } from './permissions.ts';
import { switchedAtOnce, templatesOf } from './synthesize.ts';

const { all: service } = templatesOf('prod');

/** Each operation's access case has the permissions of its function. */
const ofOperations = documented
  .filter(({ operation }) => functionIds(service).includes(operation.id))
  .map(({ operation: { id, route } }) => {
    const { permissions = {}, caller, endedKey } = accessCases[route] ?? {};
    // Requests of partners are counted, and a change reads the key of the request.
    const table = [
      ...(permissions['table'] ?? []),
      ...(caller === 'partner' ? ['UpdateItem'] : []),
      ...(endedKey === 'refused' ? ['GetItem'] : []),
    ];
    return [id, table.length === 0 ? permissions : { ...permissions, table: table.sort() }] as const;
  });

/** Everything that each function may do, and where, besides writing its own log and traces. */
const permissions: Record<string, Record<string, string[]>> = {
  ...Object.fromEntries(ofOperations),
  AuthorizePartner: { table: ['GetItem'] },
  ProcessList: {
    table: ['BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    PlacesSync: ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'],
  },
  EndFailedList: {
    table: ['PutItem', 'UpdateItem'],
    PlacesSyncDlq: ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'],
  },
  DispatchMessages: {
    table: ['BatchGetItem', 'PutItem'],
    stream: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'],
    PushOutbox: ['SendMessage'],
    DispatchMessagesDlq: ['GetQueueAttributes', 'GetQueueUrl', 'SendMessage'],
  },
  RecordReceipts: {
    table: ['BatchGetItem', 'PutItem', 'UpdateItem'],
    DeliveryReceipts: ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'],
  },
  ExpireMessages: {
    table: ['BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'PutItem', 'UpdateItem'],
    Deadlines: ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'],
  },
  FanOutStates: {
    table: ['BatchGetItem', 'PutItem', 'Query'],
    stream: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'],
    Callbacks: ['SendMessage'],
    FanOutStatesDlq: ['GetQueueAttributes', 'GetQueueUrl', 'SendMessage'],
  },
  DeliverCallback: {
    table: ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    Callbacks: ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage', 'SendMessage'],
    SlowCallbacks: ['SendMessage'],
  },
  DeliverSlowCallback: {
    table: ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    SlowCallbacks: ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'],
    Callbacks: ['SendMessage'],
  },
  ResumeCallbacks: {
    table: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    'index due': ['Query'],
    Callbacks: ['SendMessage'],
    Deadlines: ['SendMessage'],
  },
  ServeConsole: {},
};

/** The environment variables of each function besides those that all functions have. */
const ownEnvironment: Record<string, string[]> = {
  StartSync: ['PLACES_QUEUE_URL'],
  ProcessList: ['PLACES_QUEUE_URL'],
  AuthorizePartner: ['PUSHES_PER_MINUTE'],
  SendMessage: ['WALLET'],
  SendBulk: ['WALLET'],
  SendMulti: ['WALLET'],
  UpdateRecipients: ['WALLET'],
  DispatchMessages: ['OUTBOX_QUEUE_URL'],
  FanOutStates: ['CALLBACKS_QUEUE_URL'],
  DeliverCallback: [
    'CALLBACKS_LANE',
    'CALLBACKS_QUEUE_URL',
    'CALLBACK_ADDRESSES',
    'CALLBACK_RETRY_SPEED',
    'SLOW_CALLBACKS_QUEUE_URL',
    'WALLET',
  ],
  DeliverSlowCallback: [
    'CALLBACKS_LANE',
    'CALLBACKS_QUEUE_URL',
    'CALLBACK_ADDRESSES',
    'CALLBACK_RETRY_SPEED',
    'WALLET',
  ],
  ResumeCallbacks: ['CALLBACKS_QUEUE_URL', 'DEADLINES_QUEUE_URL'],
  GetEndpoint: ['WALLET'],
  PutEndpoint: ['CALLBACK_ADDRESSES', 'OWN_ORIGINS', 'WALLET'],
  TestCallback: ['CALLBACK_ADDRESSES'],
  ServeConsole: ['CONSOLE_SETTINGS'],
};

const commonEnvironment = [
  'NODE_OPTIONS',
  'POWERTOOLS_LOG_LEVEL',
  'POWERTOOLS_METRICS_NAMESPACE',
  'POWERTOOLS_SERVICE_NAME',
  'TABLE_NAME',
];

it('the permissions of every function are listed here', () => {
  expect(functionIds(service)).toEqual(Object.keys(permissions).sort());
});

it.each(Object.keys(permissions))(
  '%s may do exactly what is listed, and otherwise only log and trace',
  (id) => {
    const namespaces: Record<string, string> = {
      table: 'dynamodb',
      'index due': 'dynamodb',
      'index listed': 'dynamodb',
      stream: 'dynamodb',
      [`${id}Logs`]: 'logs',
      '*': 'xray',
    };
    const expected = {
      ...permissions[id],
      [`${id}Logs`]: ['CreateLogStream', 'PutLogEvents'],
      '*': ['PutTelemetryRecords', 'PutTraceSegments'],
    };
    expect(permissionsIn(statementsOf(service, id))).toEqual(
      Object.fromEntries(
        Object.entries(expected).map(([place, actions]) => [
          place,
          actions.map((action) => `${namespaces[place] ?? 'sqs'}:${action}`),
        ]),
      ),
    );
  },
);

it('no function may Scan, and no action is a wildcard', () => {
  const actions = functionIds(service).flatMap((id) => statementsOf(service, id).flatMap((s) => s.actions));
  expect(actions).not.toContain('dynamodb:Scan');
  expect(actions.filter((action) => action.includes('*'))).toEqual([]);
});

/** Counts requests of partners (rule 48), or reads the key of a request before a change (rule 50). */
const ofEveryRequest = [
  { actions: ['dynamodb:UpdateItem'], rows: 'REQUESTS#*' },
  { actions: ['dynamodb:GetItem'], rows: 'ACCOUNT#*' },
].map(({ actions, rows }) => ({
  actions,
  conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [rows] } },
}));

/** Returns the conditions on the rows of the table, or of its index, that a function may access for its own work. */
function rowsOf(id: string, place: string) {
  return statementsOf(service, id)
    .filter(({ resources }) => resources.map(resourceName).includes(place))
    .map(({ actions, conditions }) => ({ actions, conditions }))
    .filter((one) => !ofEveryRequest.some((known) => isDeepStrictEqual(one, known)))
    .map(({ conditions }) => conditions);
}

const managingKeys = ['ListKeys', 'CreateKey', 'RotateKey', 'RetireKey', 'DeleteKey'];

it('the authorizer may read accounts and nothing else; so may what shows a key to itself', () => {
  const accounts = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ACCOUNT#*'] } };
  const conditions = ['AuthorizePartner', 'GetOwnKey'].map((id) =>
    statementsOf(service, id)
      .filter(({ resources }) => resources.map(resourceName).includes('table'))
      .map((statement) => statement.conditions),
  );
  const requests = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['REQUESTS#*'] } };
  expect(conditions).toEqual([[accounts], [accounts, requests]]);
});

it('what manages keys may touch accounts, the list of partners and Idempotency-Keys, and nothing else', () => {
  for (const id of managingKeys) {
    expect(rowsOf(id, 'table'), id).toEqual([
      { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ACCOUNT#*', 'PARTNERS', 'IDEM#*'] } },
    ]);
  }
});

const sendingCallbacks = ['DeliverCallback', 'DeliverSlowCallback'];

const listedRows: Record<string, string[]> = {
  GetEndpoint: ['ENDPOINT#*', 'NOTICES#*'],
  PutEndpoint: ['ENDPOINT#*', 'NOTICES#*', 'IDEM#*'],
  EnableEndpoint: ['ENDPOINT#*', 'NOTICES#*', 'IDEM#*'],
  DisableEndpoint: ['ENDPOINT#*', 'NOTICES#*', 'IDEM#*'],
  RotateEndpointSecret: ['ENDPOINT#*', 'NOTICES#*', 'IDEM#*'],
  RetireEndpointSecret: ['ENDPOINT#*', 'NOTICES#*', 'IDEM#*'],
  TestCallback: ['ENDPOINT#*', 'CALLBACKTESTS#*', 'IDEM#*'],
  ReplayCallbacks: ['ENDPOINT#*', 'CALLBACKS#*', 'REPLAYS#*', 'IDEM#*'],
  ResumeCallbacks: ['ENDPOINT#*', 'CALLBACKS#*', 'HEARTBEAT#*'],
  // FanOutStates reads which states partners have chosen and the messages that changed, and parks unreadable rows.
  FanOutStates: ['ENDPOINT#*', 'MSG#*', 'BULK#*', 'PARKED#*'],
  // ListCallbacks reads phone numbers from the messages, because the log of callbacks does not contain them.
  ListCallbacks: ['CALLBACKS#*', 'DELIVERED#*', 'MSG#*', 'BULK#*', 'STATES#*'],
  GetSendReport: ['MSG#*', 'BULK#*', 'STATES#*', 'REPORTS#*'],
};

it.each(Object.keys(listedRows))('%s may touch the rows that are listed here, and nothing else', (id) => {
  expect(rowsOf(id, 'table')).toEqual([
    { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': listedRows[id] } },
  ]);
});

it('only the functions that send callbacks may read endpoints beside these, and they may read no account', () => {
  for (const id of sendingCallbacks) {
    expect(rowsOf(id, 'table'), id).toEqual([
      { 'ForAllValues:StringNotLike': { 'dynamodb:LeadingKeys': ['ACCOUNT#*'] } },
    ]);
  }
});

it('no other function may read accounts or endpoints, which contain secrets', () => {
  const others = functionIds(service).filter(
    (id) =>
      ![
        'AuthorizePartner',
        'GetOwnKey',
        'ServeConsole',
        ...managingKeys,
        ...sendingCallbacks,
        ...Object.keys(listedRows),
      ].includes(id),
  );
  for (const id of others) {
    expect(rowsOf(id, 'table'), id).toEqual([
      { 'ForAllValues:StringNotLike': { 'dynamodb:LeadingKeys': ['ACCOUNT#*', 'ENDPOINT#*'] } },
    ]);
  }
});

it('only the function that resumes callbacks may query the index of what is due, and only by the keys of callbacks and deadlines', () => {
  const asking = functionIds(service).filter((id) => rowsOf(id, 'index due').length > 0);
  expect(asking).toEqual(['ResumeCallbacks']);
  expect(rowsOf('ResumeCallbacks', 'index due')).toEqual([
    { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['DUE#*', 'DEFERRED#*', 'DEADLINE#*'] } },
  ]);
});

it('the index of listed callbacks may be queried by what partners list, count and replay them with', () => {
  const asking = functionIds(service).filter((id) => rowsOf(id, 'index listed').length > 0);
  expect(asking.sort()).toEqual(['GetEndpoint', 'ListCallbacks', 'ReplayCallbacks']);
});

it('in every stage callbacks go to public addresses only, and retries keep their schedule', () => {
  for (const stage of stages) {
    const functions = templatesOf(stage).all.findResources('AWS::Lambda::Function');
    for (const id of ['PutEndpoint', 'TestCallback']) {
      expect(functions[id]?.['Properties'].Environment.Variables.CALLBACK_ADDRESSES, stage).toBe('public');
    }
    for (const id of sendingCallbacks) {
      expect(functions[id]?.['Properties'].Environment.Variables, stage).toMatchObject({
        CALLBACK_ADDRESSES: 'public',
        CALLBACK_RETRY_SPEED: '1',
      });
    }
  }
});

it('what logs callbacks knows in every stage whether the wallet is simulated', () => {
  const simulated = stages.filter((stage) => {
    const functions = templatesOf(stage).all.findResources('AWS::Lambda::Function');
    const values = ['PutEndpoint', 'GetEndpoint', ...sendingCallbacks].map(
      (id) => functions[id]?.['Properties'].Environment.Variables.WALLET,
    );
    expect(new Set(values).size, stage).toBe(1);
    return values[0] === 'simulated';
  });
  expect(simulated).toEqual(['dev', 'sandbox']);
});

it.each(Object.keys(permissions))('%s has exactly the environment it reads', (id) => {
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

it.each(['service', 'selfService'] as const)(
  'CodeDeploy may move the aliases of the functions of %s, read alarms, and nothing else',
  (name) => {
    const template = templatesOf('prod')[name];
    const ids = functionIds(template).filter((id) => id !== switchedAtOnce);
    const [alarms, aliases, ...others] = statementsOfRole(template, 'RolloutRole');
    expect(others).toEqual([]);
    expect(alarms).toEqual({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] });
    expect(aliases?.actions.sort()).toEqual([
      'lambda:GetAlias',
      'lambda:GetProvisionedConcurrencyConfig',
      'lambda:UpdateAlias',
    ]);
    const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
    const listed = aliases?.resources.map((resource) => JSON.stringify(resource)).sort();
    expect(listed).toEqual(
      ids
        .flatMap((id) => [arnOf(id), { 'Fn::Join': ['', [arnOf(id), ':live']] }])
        .map((resource) => JSON.stringify(resource))
        .sort(),
    );
  },
);
