import { afterAll, expect, test } from 'vitest';
import { startWorker } from './pool.ts';
import type { Stopped } from './stopped-reader.ts';

const worker = await startWorker('forecast');
afterAll(worker.stop);

async function minutesToAlarm(stopped: Stopped): Promise<Record<string, number>> {
  return (await worker.ask({ stopped })).minutes;
}

test('in two hours without any use no alarm on a reader of the stream goes off', async () => {
  expect(await minutesToAlarm('nothing')).toEqual({});
});

test.each(['DispatchMessages', 'FanOutStates'] as const)(
  'when %s stops reading, and there is nothing to read, its alarm goes off in twenty minutes, and no other',
  async (reader) => {
    expect(await minutesToAlarm(reader)).toEqual({ [`${reader}Late`]: 20 });
  },
);
