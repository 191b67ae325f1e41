import type { Actors } from '../scenario/actors.ts';
import { request } from '../scenario/client.ts';

const label = 'Smoke test';

type Key = { login: string; label?: string };
type NewKey = { login: string; secret: string };

/** Plays self-service: lists, and a key that lets a cash desk do its work and nothing else. */
export async function selfServiceAct(actors: Actors, placeId: string): Promise<void> {
  const { partner, report } = actors;
  report.act('Self-service');
  await report.send('service points listed', partner, 'GET /places?limit=10');
  await report.send('sessions listed', partner, 'GET /places/sync');
  await report.send('callbacks listed', partner, 'GET /callbacks?limit=10');
  await report.send('own key shown', partner, 'GET /keys/self');
  await removeKeys(actors);
  const wanted = { role: 'cash-desk', label, placeIds: [placeId] };
  const { login, secret } = await report.send<NewKey>('key made', partner, 'POST /keys', wanted);
  const cashDesk = { ...partner, login, secret };
  const inPath = encodeURIComponent(placeId);
  const checkIns = (place: string) => `GET /partner/api/place/${place}/checkins`;
  await report.send('check-ins listed with it', cashDesk, checkIns(inPath));
  await report.send('and by query', cashDesk, `${checkIns('-')}?placeId=${inPath}`);
  // The gateway may decode a path twice: then another itemId would become this one.
  const encodedTwice = request(cashDesk, checkIns(encodeURIComponent(inPath)));
  await report.checkReply('the itemId of an encoded slash refused to it', encodedTwice, 403);
  await report.checkReply('promotions refused to it', request(cashDesk, 'GET /promos'), 403);
  await removeKeys(actors);
}

/** Removes the keys of the smoke test, also those of an interrupted run. */
async function removeKeys({ partner, report }: Actors): Promise<void> {
  const { keys } = await report.send<{ keys: Key[] }>('keys listed', partner, 'GET /keys');
  for (const { login } of keys.filter((key) => key.label === label))
    await report.send('key deleted', partner, `DELETE /keys/${encodeURIComponent(login)}`);
}
