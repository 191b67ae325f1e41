import { expect, test } from 'vitest';
import { startSync } from '../../../functions/places/start-sync.ts';
import { call, forBars } from '../../support/http.ts';
import { place, syncRig } from './sync-rig.ts';

test('rule 5: a list whose request died has one session, so that its repetition does not undo a newer list', async () => {
  const rig = await syncRig();
  const request = {
    ...forBars,
    headers: { ...forBars.headers, 'idempotency-key': 'k1' },
    body: { places: [place('a')] },
  };
  const died = () => Promise.reject(new Error('the function died here'));
  const start = startSync({ ...rig, sessions: { ...rig.sessions, begin: died } });
  expect((await call(start, request)).status).toBe(500);
  const first = await rig.queue.drain();
  const { sessionId } = JSON.parse(first[0]?.body ?? '');
  expect((await rig.get(sessionId)).status).toBe(404);
  await rig.deliver(first);
  await rig.sync([place('b')]);

  rig.clock.advance(60_000);
  expect(await call(rig.handlers.start, request)).toMatchObject({ status: 200, body: { sessionId } });
  // The queue drops the second message for five minutes. A later one finds the session finished.
  expect(await rig.queue.drain()).toEqual([]);
  await rig.deliver(first);
  expect(await rig.stored()).toEqual([['b', 'b']]);
  expect(await rig.session(sessionId)).toMatchObject({ status: 'FINISHED', counts: { added: 1 } });
  expect(await rig.sessions.newest('bars-of-moscow', 5, rig.clock.now())).toHaveLength(2);

  // The next request under another key has a session of its own.
  const other = { ...request, headers: { ...request.headers, 'idempotency-key': 'k2' } };
  expect((await call(rig.handlers.start, other)).body).not.toEqual({ sessionId });
});
