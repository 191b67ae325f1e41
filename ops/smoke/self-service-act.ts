import type { Actors } from '../scenario/actors.ts';
import { request } from '../scenario/client.ts';

const label = 'Smoke test';

type Key = { login: string; label?: string };

/** Plays self-service: lists, and a key that lets a cash desk do its work and nothing else. */
export async function selfServiceAct(actors: Actors, placeId: string): Promise<void> {
  const { partner, report } = actors;
  report.act('Self-service');
  const get = (what: string, route: string) => report.checkReply(what, request(partner, route));
  await get('service points listed', 'GET /places?limit=10');
  await get('sessions listed', 'GET /places/sync');
  await get('callbacks listed', 'GET /callbacks?limit=10');
  await get('own key shown', 'GET /keys/self');
  await removeKeys(actors);
  const made = request(partner, 'POST /keys', { role: 'cash-desk', label, placeIds: [placeId] });
  const { login, secret } = await report.checkReply<{ login: string; secret: string }>('key made', made);
  const cashDesk = { ...partner, login, secret };
  const checkIns = request(cashDesk, `GET /partner/api/place/${encodeURIComponent(placeId)}/checkins`);
  await report.checkReply('check-ins listed with it', checkIns);
  await report.checkReply('promotions refused to it', request(cashDesk, 'GET /promos'), 403);
  await removeKeys(actors);
}

/** Removes the keys of the smoke test, also those of an interrupted run. */
async function removeKeys({ partner, report }: Actors): Promise<void> {
  const listed = request(partner, 'GET /keys');
  const { keys } = await report.checkReply<{ keys: Key[] }>('keys listed', listed);
  for (const { login } of keys.filter((key) => key.label === label)) {
    await report.checkReply('key deleted', request(partner, `DELETE /keys/${encodeURIComponent(login)}`));
  }
}
