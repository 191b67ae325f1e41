import { expect, it } from 'vitest';
import { documented } from '../../docs/generate/operations.ts';
import { stages } from '../../infra/config.ts';
import { acceptsIdempotencyKey } from '../../shared/platform/http/operation.ts';
import { accessCases } from '../security/access-control/access-cases.ts';
import { functionIds, permissionsIn, rowsOf, statementsOf, statementsOfRole } from './permissions.ts';
import { switchedAtOnce, templatesOf, variablesOf } from './synthesize.ts';

/** Each operation's access case has the permissions of its function. */
const ofOperations = documented.map(({ operation }) => {
  const { id, route } = operation;
  const { permissions = {}, caller, endedKey } = accessCases[route] ?? {};
  const { reads = [], writes = [], ...others } = permissions;
  const keyed = acceptsIdempotencyKey(operation) ? ['IDEM#*'] : [];
  // Requests of partners are counted, and a change reads the key of the request.
  const counted = caller === 'partner' ? ['REQUESTS#*'] : [];
  const acting = endedKey === 'refused' ? ['ACCOUNT#*'] : [];
  const rows = { reads: [...acting, ...reads, ...keyed], writes: [...writes, ...keyed, ...counted] };
  return [id, { ...rows, ...others }] as const;
});

const delivering = {
  reads: ['ENDPOINT#*', 'CALLBACKS#*'],
  writes: ['ENDPOINT#*', 'EVENTS#*', 'FAILED#*', 'CALLBACKS#*', 'DELIVERED#*', 'PARKED#*'],
};

/** Everything that each function may do, and with which rows, besides writing its own log and traces. */
const permissions: Record<string, Record<string, string[]>> = {
  ...Object.fromEntries(ofOperations),
  AuthorizePartner: { reads: ['ACCOUNT#*'] },
  ProcessSync: {
    reads: ['SYNC#*', 'LIST#*', 'HELD#*', 'PLACES#*'],
    writes: ['SYNC#*', 'SYNCERRORS#*', 'SYNCCHANGES#*', 'HELD#*', 'PLACES#*', 'EVENTS#*'],
    PlacesSync: ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'],
  },
  EndFailedSync: {
    writes: ['SYNC#*', 'PARKED#*', 'EVENTS#*'],
    PlacesSyncDlq: ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'],
  },
  DispatchMessages: {
    reads: ['BULK#*', 'STATES#*'],
    writes: ['PARKED#*'],
    stream: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'],
    PushOutbox: ['SendMessage'],
    DispatchMessagesDlq: ['GetQueueAttributes', 'GetQueueUrl', 'SendMessage'],
  },
  RecordReceipts: {
    reads: ['MSG#*', 'BULK#*'],
    writes: ['MSG#*', 'STATES#*', 'PARKED#*'],
    DeliveryReceipts: ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'],
  },
  AdvanceSends: {
    reads: ['DEADLINE#*', 'MSG#*', 'BULK#*', 'STATES#*', 'PARTNERS', 'ACCOUNT#*'],
    writes: ['DEADLINE#*', 'MSG#*', 'BULK#*', 'STATES#*', 'EVENTS#*', 'PARKED#*'],
    PushCancellations: ['SendMessage'],
    Deadlines: ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'],
  },
  FanOutStates: {
    reads: ['ENDPOINT#*', 'MSG#*', 'BULK#*'],
    writes: ['PARKED#*'],
    stream: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'],
    Callbacks: ['SendMessage'],
    FanOutStatesDlq: ['GetQueueAttributes', 'GetQueueUrl', 'SendMessage'],
  },
  DeliverCallback: {
    ...delivering,
    Callbacks: ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage', 'SendMessage'],
    SlowCallbacks: ['SendMessage'],
  },
  DeliverSlowCallback: {
    ...delivering,
    SlowCallbacks: ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'],
    Callbacks: ['SendMessage'],
  },
  SweepDue: {
    reads: ['ENDPOINT#*', 'CALLBACKS#*', 'FAILED#*'],
    writes: ['ENDPOINT#*', 'CALLBACKS#*', 'FAILED#*', 'EVENTS#*', 'HEARTBEAT#*'],
    'index due': ['Query'],
    Callbacks: ['SendMessage'],
    Deadlines: ['SendMessage'],
  },
  ServeConsole: {},
  ShowMessages: {
    reads: ['MSISDN#*', 'PHONES#*', 'REMOVED#*'],
    writes: ['PHONE#*'],
    PushOutbox: ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'],
    DeviceReports: ['SendMessage'],
  },
  RemoveMessages: {
    reads: ['BULK#*', 'MSG#*', 'PHONES#*', 'STATES#*'],
    writes: ['PHONE#*', 'REMOVED#*'],
    PushCancellations: ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'],
    DeliveryReceipts: ['SendMessage'],
  },
  ReportReceipts: {
    reads: ['REMOVED#*'],
    DeviceReports: ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'],
    DeliveryReceipts: ['SendMessage'],
  },
};

it.each(stages.flatMap((stage) => functionIds(templatesOf(stage).all).map((id) => [stage, id] as const)))(
  'in %s %s may do exactly what is listed, with the listed rows and no Scan, and otherwise only log and trace',
  (stage, id) => {
    const { all } = templatesOf(stage);
    const listed = permissions[id];
    if (!listed) throw new Error('its permissions are not listed');
    const { reads = [], writes = [], ...others } = listed;
    expect(rowsOf(all, id)).toEqual({ reads: reads.toSorted(), writes: writes.toSorted() });
    const namespaces: Record<string, string> = {
      'index due': 'dynamodb',
      'index listed': 'dynamodb',
      stream: 'dynamodb',
      [`${id}Logs`]: 'logs',
      '*': 'xray',
    };
    const expected = {
      ...others,
      [`${id}Logs`]: ['CreateLogStream', 'PutLogEvents'],
      '*': ['PutTelemetryRecords', 'PutTraceSegments'],
    };
    const where = 'infra/ gives it other rights than its access case (access-cases.ts), or this file, lists';
    const { table: _inRows, ...found } = permissionsIn(statementsOf(all, id));
    expect(found, where).toEqual(
      Object.fromEntries(
        Object.entries(expected).map(([place, actions]) => [
          place,
          actions.map((action) => `${namespaces[place] ?? 'sqs'}:${action}`),
        ]),
      ),
    );
  },
);

it('in every stage callbacks go to public addresses only, and retries keep their schedule', () => {
  for (const stage of stages) {
    const { all } = templatesOf(stage);
    for (const id of ['PutAlerts', 'PutEndpoint', 'TestAlerts', 'TestCallback', 'ExamineEndpoint']) {
      expect(variablesOf(all, id).CALLBACK_ADDRESSES, stage).toBe('public');
    }
    for (const id of ['DeliverCallback', 'DeliverSlowCallback']) {
      expect(variablesOf(all, id), stage).toMatchObject({
        CALLBACK_ADDRESSES: 'public',
        CALLBACK_RETRY_SPEED: '1',
      });
    }
  }
});

it('each function has a role of its own', () => {
  const roles = Object.entries(templatesOf('sandbox').all.findResources('AWS::Lambda::Function')).map(
    ([id, { Properties }]) => [id, Properties.Role],
  );
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
