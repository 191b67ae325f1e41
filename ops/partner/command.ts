import type { CallbackArchive } from '../../shared/callbacks/callback-archive.ts';
import type { CallbackStore } from '../../shared/callbacks/callback-store.ts';
import type { EndpointStore } from '../../shared/callbacks/endpoint-store.ts';
import type { AddressPolicy } from '../../shared/callbacks/public-address.ts';
import type { PartnerAdminStore } from '../../shared/partners/partner-admin-store.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import type { Ids } from '../../shared/runtime/ids.ts';
import type { Table } from '../../shared/table/table.ts';
import type { OptionSet, Options } from '../cli/options.ts';
import type { Terminal } from '../cli/terminal.ts';

/** What a command works with. */
export interface Call {
  readonly operands: readonly string[];
  readonly options: Options;
  readonly partners: PartnerAdminStore;
  readonly endpoints: EndpointStore;
  readonly callbacks: CallbackStore;
  readonly archive: CallbackArchive;
  /** For commands that look after rows of every kind. */
  readonly table: Table;
  readonly addresses: AddressPolicy;
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Has this typed (the partner's id) before anything dangerous happens, unless --yes was given. */
  confirm(expected: string, consequence: string): Promise<void>;
}

/** What a command has to say, to people and to machines. */
export interface Report {
  readonly text: string;
  readonly json: unknown;
}

export interface Command {
  /** `callbacks list` */
  readonly name: string;
  /** Words it must be given, in this order. */
  readonly operands: readonly string[];
  /** How its own options are written in one line. */
  readonly synopsis?: string;
  readonly summary: string;
  /** What else one must know before using it. */
  readonly details?: string;
  readonly options: OptionSet;
  /** Whether it will ask before it goes on. */
  readonly dangerous?: (options: Options) => boolean;
  /** What must be typed then; the partner's id, unless it says something else. */
  readonly asksFor?: string;
  readonly run: (call: Call) => Promise<Report>;
}
