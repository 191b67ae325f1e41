import { createKey } from '../../../functions/partners/create-key.ts';
import { deleteKey } from '../../../functions/partners/delete-key.ts';
import { getOwnKey } from '../../../functions/partners/get-own-key.ts';
import { listKeys } from '../../../functions/partners/list-keys.ts';
import { retireKey } from '../../../functions/partners/retire-key.ts';
import { rotateKey } from '../../../functions/partners/rotate-key.ts';
import type { PartnerContext } from '../../../shared/partners/callers.ts';
import { keyStore } from '../../../shared/partners/key-store.ts';
import { partnerAdminStore } from '../../../shared/partners/partner-admin-store.ts';
import { firstKey } from '../../../shared/partners/partner-rows.ts';
import { authorize } from '../../support/authorize.ts';
import { basic } from '../../support/basic.ts';
import { fakeClock } from '../../support/clock.ts';
import { call, type Request } from '../../support/http.ts';
import { requestDeps } from '../../support/request-deps.ts';
import { newTable } from '../../support/table.ts';

export type Made = { login: string; secret: string };

type Asked = Pick<Request, 'body' | 'headers'> & { login?: string };

export async function keysRig() {
  const table = await newTable();
  const clock = fakeClock();
  const keys = keyStore(table);
  const admin = partnerAdminStore(table);
  const deps = { ...requestDeps(table, clock), keys };
  const handlers = {
    list: listKeys(deps),
    self: getOwnKey(deps),
    create: createKey(deps),
    rotate: rotateKey(deps),
    retire: retireKey(deps),
    delete: deleteKey(deps),
  };
  const methods: Record<string, string> = { list: 'GET', self: 'GET', delete: 'DELETE' };
  for (const partnerId of ['bars', 'bakery']) {
    const identity = { login: partnerId, partnerId, offerIds: [`${partnerId}-club`] };
    await admin.create(firstKey(identity, `secret-of-${partnerId}`, clock.now()));
  }

  /** Returns the authorizer's current verdict on these credentials. */
  const verdictOn = ({ login, secret }: Made) => authorize(table, basic(login, secret));
  const work = (...all: Made[]) => Promise.all(all.map(async (one) => (await verdictOn(one)).isAuthorized));
  const contextOf = async (credentials: Made): Promise<PartnerContext> => {
    const verdict = await verdictOn(credentials);
    if (!verdict.isAuthorized) throw new Error(`${credentials.login} is refused`);
    return verdict.context;
  };
  const as =
    (partner: PartnerContext) =>
    (name: keyof typeof handlers, { login, ...request }: Asked = {}) =>
      call(handlers[name], {
        ...request,
        partner,
        method: methods[name] ?? 'POST',
        ...(login ? { path: { login }, rawPath: `/keys/${login}/${name}` } : {}),
      });
  const bars = as(await contextOf({ login: 'bars', secret: 'secret-of-bars' }));
  const made = async (body: unknown): Promise<Made> => (await bars('create', { body })).body as Made;
  return { table, clock, keys, admin, work, contextOf, as, bars, made };
}
