import { Command, Option } from '@commander-js/extra-typings';
import { type CommandError, failure } from '../../build/command-line.ts';
import { configOf } from '../../infra/config.ts';
import type { Endpoint } from '../../shared/callbacks/endpoint/endpoint.ts';
import { viewKeptMs } from '../../shared/callbacks/endpoint/health.ts';
import { endpointSettings, setEndpoint } from '../../shared/callbacks/endpoint/settings.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/store.ts';
import { callbackList } from '../../shared/callbacks/listing/list.ts';
import { callbackReplay } from '../../shared/callbacks/listing/replay.ts';
import { callbackStore } from '../../shared/callbacks/retries/store.ts';
import type { Account } from '../../shared/partners/account.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { partnerAdminStore } from '../../shared/partners/partner-admin-store.ts';
import type { Clock } from '../../shared/platform/runtime/clock.ts';
import type { Ids } from '../../shared/platform/runtime/ids.ts';
import { formatTime } from '../cli/formats.ts';
import type { Target } from '../cli/target.ts';
import { confirm, type Terminal } from '../cli/terminal.ts';

export interface PartnerDeps {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly ids: Ids;
}

export function sessionOn({ table, addresses, pushesPerMinute }: Target, deps: PartnerDeps) {
  const endpoints = endpointStore(table);
  const partners = partnerAdminStore(table);
  const findPartner = async (partnerId: string): Promise<Account> => {
    const account = await partners.find(partnerId);
    if (account) return account;
    throw failure(`There is no partner "${partnerId}": the command list shows all.`);
  };
  return {
    ...deps,
    /** For commands about rows of every kind. */
    table,
    pushesPerMinute,
    partners,
    keys: keyStore(table),
    endpoints,
    settings: endpointSettings({ ...deps, endpoints }),
    setEndpoint: setEndpoint({ ...deps, endpoints, addresses }),
    callbacks: callbackStore(table),
    list: callbackList(table),
    replay: callbackReplay(table, deps.clock),
    findPartner,
    /** The endpoint of an existing partner, as it is set now. */
    findEndpoint: async (partnerId: string): Promise<Endpoint> => {
      await findPartner(partnerId);
      const { endpoint } = await endpoints.view(partnerId, { consistent: true });
      if (endpoint) return endpoint;
      throw failure(`${partnerId} has no callback endpoint: the command callback set makes one.`);
    },
    /** Has the partner's id typed before something that is hard to undo. */
    confirm: async ({ partnerId, yes }: Yes & { partnerId: string }, consequence: string): Promise<void> => {
      const name = "the partner's id";
      if (!yes) await confirm(deps.terminal, { consequence, expected: partnerId, name });
    },
  };
}

/** What a command works with while its table is open. */
export type Session = ReturnType<typeof sessionOn>;

/** The result of a command, for people and for programs. */
interface Report {
  readonly text: string;
  readonly json: unknown;
}

/** Makes the action of a command: it opens a session, does the work in it, and prints the report. */
export type Run = <Args extends unknown[]>(
  work: (session: Session, ...args: Args) => Promise<Report>,
) => (...args: Args) => Promise<void>;

export function partnerCommand(name: string, description: string) {
  return new Command(name).description(description).argument('<partnerId>');
}

export const yesOption = new Option('--yes', "Go on without typing the partner's id");
export type Yes = { yes?: true | undefined };

/** In notices. */
export const operator = 'operator';

/** When these secrets were created, the oldest first. */
export function creationTimes(secrets: readonly { createdAt: number }[]): string[] {
  return secrets.map((secret) => formatTime(secret.createdAt)).sort();
}

/** When a condition did not hold because another operator, or a worker, was faster. */
export function changedMeanwhile(partnerId: string): CommandError {
  return failure(
    `${partnerId} was changed by somebody else at the same moment, nothing was done: run it again.`,
  );
}

const cacheMinutes = configOf('prod').authorizerCacheSeconds / 60;

/** Of changes of what the authorizer answers. */
export const effectiveAtGateway = `It takes effect within ${cacheMinutes} minutes: so long the gateway caches the authorizer's answer.`;

/** Of changes of an endpoint. */
export const effectiveAtWorkers = `It takes effect within ${viewKeptMs / 1_000} seconds, in all workers.`;
