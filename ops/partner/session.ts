import { Option } from '@commander-js/extra-typings';
import { type CallbackArchive, callbackArchive } from '../../shared/callbacks/callback-archive.ts';
import { type CallbackStore, callbackStore } from '../../shared/callbacks/callback-store.ts';
import { type EndpointStore, endpointStore } from '../../shared/callbacks/endpoint-store.ts';
import type { AddressPolicy } from '../../shared/callbacks/public-address.ts';
import { type PartnerAdminStore, partnerAdminStore } from '../../shared/partners/partner-admin-store.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import type { Ids } from '../../shared/runtime/ids.ts';
import type { Table } from '../../shared/table/table.ts';
import type { Target } from '../cli/target.ts';
import { confirm, type Terminal } from '../cli/terminal.ts';

export interface PartnerDeps {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** What a command works with while its table is open. */
export interface Session extends PartnerDeps {
  readonly partners: PartnerAdminStore;
  readonly endpoints: EndpointStore;
  readonly callbacks: CallbackStore;
  readonly archive: CallbackArchive;
  /** For commands that look after rows of every kind. */
  readonly table: Table;
  readonly addresses: AddressPolicy;
}

export function sessionOn({ table, addresses }: Target, deps: PartnerDeps): Session {
  return {
    ...deps,
    table,
    addresses,
    partners: partnerAdminStore(table),
    endpoints: endpointStore(table),
    callbacks: callbackStore(table),
    archive: callbackArchive(table),
  };
}

/** The result of a command, for people and for programs. */
export interface Report {
  readonly text: string;
  readonly json: unknown;
}

/** Opens a session, does the work of a command in it, and prints its report. */
export type Run = (work: (session: Session) => Promise<Report>) => Promise<void>;

/** Arguments of addHelpText: a paragraph below the options. */
export function after(text: string) {
  return ['after', `\n${text}`] as const;
}

export const yesOption = new Option('--yes', "Go on without typing the partner's id");

/** Has the partner's id typed before something that is hard to undo. */
export async function confirmPartner(
  { terminal }: Session,
  { yes }: { yes?: true | undefined },
  confirmation: { partnerId: string; consequence: string },
): Promise<void> {
  const { partnerId, consequence } = confirmation;
  if (!yes) await confirm(terminal, { consequence, expected: partnerId, name: "the partner's id" });
}
