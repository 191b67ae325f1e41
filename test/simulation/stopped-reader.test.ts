import { afterAll, expect, test } from 'vitest';
import { startWorker } from './pool.ts';
import type { Stopped } from './stopped-reader.ts';

const worker = await startWorker('forecast');
afterAll(worker.stop);

async function minutesToAlarm(stopped: Stopped): Promise<Record<string, number>> {
  return (await worker.ask({ stopped })).minutes;
}

test.each(['DispatchMessages', 'FanOutStates'] as const)(
  'when %s stops reading after an hour without use, its alarm goes off in twenty minutes, and none before or beside it',
  async (reader) => {
    expect(await minutesToAlarm(reader)).toEqual({ [`${reader}Late`]: 20 });
  },
);
