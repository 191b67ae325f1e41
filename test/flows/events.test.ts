import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samplePartners } from '../../local/invoke/sample-partners.ts';
import { compileFilters } from '../../local/patterns/event-pattern.ts';
import { readServiceModel } from '../../local/template/service-model.ts';
import { finishedSession, type RunningService, startService } from '../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: events of many shapes
const sample = (id: string): any => JSON.parse(readFileSync(`events/${id}.json`, 'utf8'));

const template = readServiceModel(resolve('cdk.out'));
const ids = template.functions.map(({ logicalId }) => logicalId).sort();
const nameOf = (id: string) => template.functions.find(({ logicalId }) => logicalId === id)?.name;

type Documented = { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> };
const { paths }: Documented = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
const documentedStatuses = (routeKey: string): number[] => {
  const [method = '', path = ''] = routeKey.split(' ');
  return Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {}).map(Number);
};

it('there is exactly one sample for every function of the template, named after it', () => {
  expect(readdirSync('events').sort()).toEqual(ids.map((id) => `${id}.json`));
});

describe('a sample is what its function really gets', () => {
  const routes = template.api?.routes ?? [];
  const { queues, streams } = template.eventSources;
  const endpoints = ids.filter((id) => routes.some(({ functionName }) => functionName === nameOf(id)));

  it.each(endpoints)('%s: a request of its route, from a caller whom that route lets in', (id) => {
    const { routeKey, requestContext } = sample(id);
    const route = routes.find(({ key }) => key === routeKey);
    expect(route?.functionName).toBe(nameOf(id));
    expect(requestContext.routeKey).toBe(routeKey);
    const caller = { CUSTOM: 'lambda', AWS_IAM: 'iam', NONE: 'nobody' }[route?.authorization.type ?? 'NONE'];
    expect(Object.keys(requestContext.authorizer)).toEqual([caller]);
  });

  it.each(queues.map((source) => [source.functionName.split('-').at(-1) ?? '', source] as const))(
    '%s: a message of its queue',
    (id, { queueArn, filters }) => {
      const [record] = sample(id).Records;
      expect(record.eventSourceARN).toBe(queueArn);
      expect(compileFilters(filters)(record)).toBe(true);
    },
  );

  it.each(streams.map((source) => [source.functionName.split('-').at(-1) ?? '', source] as const))(
    '%s: a record that its filter lets through',
    (id, { filters }) => {
      const [record] = sample(id).Records;
      expect(record.eventSource).toBe('aws:dynamodb');
      expect(compileFilters(filters)(record)).toBe(true);
    },
  );

  it('ResumeCallbacks: an event of its schedule', () => {
    expect(template.schedules.map(({ functionName }) => functionName)).toEqual([nameOf('ResumeCallbacks')]);
    expect(sample('ResumeCallbacks')).toMatchObject({
      source: 'aws.events',
      'detail-type': 'Scheduled Event',
    });
  });
});

describe('invoked in this order, the samples tell a story that works', () => {
  let service: RunningService;
  let stateDir: string;
  beforeAll(async () => {
    stateDir = mkdtempSync(join(tmpdir(), 'partner-integration-events-'));
    service = await startService({ stateDir, partners: samplePartners(stateDir) });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(stateDir, { recursive: true, force: true });
  });

  const invoke = (id: string) => service.invoke(id, sample(id));
  const told: string[] = [];

  const answers = (id: string, status: number, body: unknown, then?: (body: unknown) => Promise<void>) =>
    it(`${id} answers ${status}`, async () => {
      told.push(id);
      const answer = (await invoke(id)) as { statusCode: number; body: string };
      expect(documentedStatuses(sample(id).routeKey)).toContain(status);
      const answered = answer.body === '' ? '' : JSON.parse(answer.body);
      expect({ status: answer.statusCode, body: answered }).toMatchObject({ status, body });
      await then?.(answered);
    });

  const works = (id: string, answer: unknown) =>
    it(`${id} does its work`, async () => {
      told.push(id);
      expect(await invoke(id)).toEqual(answer);
    });

  const done = { batchItemFailures: [] };
  const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const promotion = { promoId: 1, name: 'Два по цене одного', startDate: '2026-05-01T00:00:00+03' };

  works('AuthorizePartner', {
    isAuthorized: true,
    context: { partnerId: 'bars', offerIds: ['bars-of-moscow'], limits: {} },
  });

  answers('GetSync', 404, { status: 'SESSION_NOT_FOUND' });
  works('ProcessSlice', done);
  works('EndFailedSlice', done);
  answers('StartSync', 200, { sessionId: uuid }, async (body) => {
    await finishedSession(service.partner, { status: 200, headers: new Headers(), body });
  });
  answers('ListWalletPlaces', 200, {
    places: [{ itemId: 'bar-1', placeInfo: { name: 'Юнион Джек' } }, { itemId: 'bar-2' }],
  });

  answers('OpenCheckIn', 200, {
    checkinNumber: 1,
    secretCode: expect.stringMatching(/^\d{4}$/),
    expiresAt: expect.any(String),
  });
  answers('ListCheckIns', 200, [{ checkinNumber: 1, cardNumber: '9643907500000012' }]);
  answers('RegisterCheckIn', 200, { checkinNumber: 1, cardNumber: '9643907500000012' });

  answers('ListActivePromotions', 404, '');
  answers('CreatePromotion', 200, { promoId: 1, status: 'active' });
  answers('UpdatePromotion', 200, { promoId: 1, status: 'active' });
  answers('GetPromotion', 200, { ...promotion, discount: '40 %', endDate: null });
  answers('ListPromotions', 200, { metadata: { totalCount: 1 }, items: [promotion] });
  answers('ListWalletPromotions', 200, { promos: [promotion] });

  answers('UpdateRecipients', 200, { registered: 2, unregistered: 1 });
  answers('SendMessage', 200, { messageId: uuid, state: 'ENQUEUED' });
  answers('SendBulk', 200, [
    { msisdn: 79001234567, messageId: uuid, state: 'ENQUEUED' },
    { msisdn: 79001234569, messageId: uuid, state: 'MSISDN_NOT_REGISTERED' },
  ]);
  answers('SendMulti', 200, [
    { msisdn: 79001234568, messageId: uuid, state: 'ENQUEUED' },
    { msisdn: 79001234569, messageId: uuid, state: 'MSISDN_NOT_REGISTERED' },
  ]);
  answers('GetDeliveryHistory', 404, { status: 'MESSAGE_NOT_FOUND' });
  works('DispatchMessages', done);
  works('RecordReceipts', done);
  works('FanOutStates', done);
  works('DeliverCallback', done);
  works('ResumeCallbacks', null);

  it('the story leaves no function out', () => {
    expect(told.sort()).toEqual(ids);
  });
});
