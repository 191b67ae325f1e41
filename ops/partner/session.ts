import { endpointSettings, setEndpoint } from '../../shared/callbacks/endpoint/settings.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/store.ts';
import { callbackList } from '../../shared/callbacks/listing/list.ts';
import { callbackReplay } from '../../shared/callbacks/listing/replay.ts';
import { callbackStore } from '../../shared/callbacks/retries/store.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { partnerAdminStore } from '../../shared/partners/partner-admin-store.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import type { Ids } from '../../shared/runtime/ids.ts';
import type { Target } from '../cli/target.ts';
import { confirm, type Terminal } from '../cli/terminal.ts';

export interface PartnerDeps {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly ids: Ids;
}

export function sessionOn({ table, addresses, pushesPerMinute }: Target, deps: PartnerDeps) {
  const endpoints = endpointStore(table);
  const callbacks = callbackStore(table);
  return {
    ...deps,
    /** For commands about rows of every kind. */
    table,
    pushesPerMinute,
    partners: partnerAdminStore(table),
    keys: keyStore(table),
    endpoints,
    callbacks,
    settings: endpointSettings({ ...deps, endpoints }),
    setEndpoint: setEndpoint({ ...deps, endpoints, addresses }),
    list: callbackList(table),
    replay: callbackReplay(table, deps.clock),
  };
}

/** What a command works with while its table is open. */
export type Session = ReturnType<typeof sessionOn>;

/** The result of a command, for people and for programs. */
export interface Report {
  readonly text: string;
  readonly json: unknown;
}

/** In notices. */
export const operator = 'operator';

export type Yes = { yes?: true | undefined };

/** Has the partner's id typed before something that is hard to undo. */
export async function confirmPartner(
  { terminal }: Session,
  { partnerId, yes }: Yes & { partnerId: string },
  consequence: string,
): Promise<void> {
  if (!yes) await confirm(terminal, { consequence, expected: partnerId, name: "the partner's id" });
}
