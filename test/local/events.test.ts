import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { compileFilters } from '../../local/streams/event-pattern.ts';
import { readServiceModel } from '../../local/template/service-model.ts';
import { sampleEvent } from '../support/sample-event.ts';

const { functions, api, eventSources, schedules } = readServiceModel(resolve('cdk.out'));
const { routes } = api;

/** Routes, mappings and schedules name a function by its physical name, while samples are named by its id. */
function idOf({ functionName }: { functionName: string }): string {
  return functions.find(({ name }) => name === functionName)?.logicalId ?? functionName;
}

test('there is exactly one sample for every function of the template, named after it', () => {
  const ids = functions.map(({ logicalId }) => logicalId);
  expect(readdirSync('events').sort()).toEqual(ids.map((id) => `${id}.json`).sort());
});

test.each([...new Set(routes.map(idOf))])(
  '%s: its sample is a request of its route, from a caller whom that route lets in',
  (id) => {
    const { version, routeKey, requestContext } = sampleEvent(id);
    const route = routes.find(({ key }) => key === routeKey);
    expect(route && idOf(route)).toBe(id);
    expect({ version, routeKey: requestContext.routeKey }).toEqual({ version: '2.0', routeKey });
    const callers = { iam: ['iam'], none: [] };
    const { authorizer = 'none' } = route ?? {};
    expect(Object.keys(requestContext.authorizer ?? {})).toEqual(
      typeof authorizer === 'string' ? callers[authorizer] : ['lambda'],
    );
  },
);

test.each(eventSources.queues.map((source) => [idOf(source), source] as const))(
  '%s: its sample is a message of its queue',
  (id, { queueArn }) => {
    const [record] = sampleEvent(id).Records;
    expect(record.eventSourceARN).toBe(queueArn);
  },
);

test.each(eventSources.streams.map((source) => [idOf(source), source] as const))(
  '%s: its sample is a record of the stream that its filter lets through',
  (id, { streamArn, filters }) => {
    const [record] = sampleEvent(id).Records;
    const tableOf = (arn: string): string => arn.split('/stream/')[0] ?? '';
    expect(tableOf(record.eventSourceARN)).toBe(tableOf(streamArn));
    expect(compileFilters(filters)(record)).toBe(true);
  },
);

test('the sample of SweepDue is an event of its schedule', () => {
  expect(schedules.map(idOf)).toEqual(['SweepDue']);
  expect(sampleEvent('SweepDue')).toMatchObject({
    source: 'aws.events',
    'detail-type': 'Scheduled Event',
  });
});
