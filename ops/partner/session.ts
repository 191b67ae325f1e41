import { Command } from '@commander-js/extra-typings';
import type { Endpoint } from '../../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import { endpointSettings, setEndpoint } from '../../shared/callbacks/endpoint/settings.ts';
import { viewKeptMs } from '../../shared/callbacks/endpoint/view-age.ts';
import { callbackList } from '../../shared/callbacks/listing/list.ts';
import { callbackReplay } from '../../shared/callbacks/listing/replay.ts';
import { eventStore } from '../../shared/events/event-store.ts';
import { authorizerCacheSeconds } from '../../shared/partners/key.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { partnerAdminStore } from '../../shared/partners/partner-admin-store.ts';
import type { StoredKey } from '../../shared/partners/partner-rows.ts';
import { type CommandDeps, type CommandError, confirm, failure } from '../cli/command-line.ts';
import { formatTime } from '../cli/formats.ts';
import type { Target } from '../cli/target.ts';

type SessionOptions = {
  /** Whether the prompts of commands that are hard to undo are answered. */
  yes?: boolean | undefined;
  /** Says what the commands work on. */
  on: string;
  /** Makes a command that the operator may run next, on the same table. */
  toRun: (words: string) => string;
};

export function sessionOn(
  { table, addresses, own, pushesPerMinute }: Target,
  deps: CommandDeps,
  { yes, on, toRun }: SessionOptions,
) {
  const endpoints = endpointStore(table);
  const partners = partnerAdminStore(table, deps.clock);
  const keys = keyStore(table);
  const listKeys = async (partnerId: string): Promise<readonly [StoredKey, ...StoredKey[]]> => {
    const [first, ...others] = await keys.list(partnerId);
    if (first) return [first, ...others];
    throw failure(`There is no partner "${partnerId}": the command list shows all.`);
  };
  const noEndpoint = async (partnerId: string): Promise<CommandError> => {
    await listKeys(partnerId);
    return failure(`${partnerId} has no callback endpoint: the command callback set makes one.`);
  };
  return {
    ...deps,
    toRun,
    /** The author of changes, in the notices that the partner sees. */
    operator: 'operator',
    /** The table itself, for commands about rows of every kind. */
    table,
    pushesPerMinute,
    own,
    partners,
    keys,
    endpoints,
    settings: endpointSettings(table, deps.clock, deps.ids),
    setEndpoint: setEndpoint({ ...deps, endpoints, addresses }),
    events: eventStore(table),
    list: callbackList(table),
    replay: callbackReplay(table, deps.clock),
    /** All keys of an existing partner, the oldest first. */
    listKeys,
    /** The first key of an existing partner, which has what is true of the partner. */
    findPartner: async (partnerId: string): Promise<StoredKey> => (await listKeys(partnerId))[0],
    /** The partner's key with this login, or without a login its only key. */
    findKey: async (partnerId: string, login?: string): Promise<StoredKey> => {
      const all = await listKeys(partnerId);
      if (login === undefined && all.length === 1) return all[0];
      const key = all.find((one) => one.login === login);
      if (key) return key;
      if (login !== undefined) throw failure(`${partnerId} has no key "${login}": keys list shows all.`);
      const named = all.map(({ login, role }) => `${login} (${role})`).join(', ');
      throw failure(`${partnerId} has ${all.length} keys, add the login of one of them: ${named}.`);
    },
    /** The endpoint of a partner, as it is set now. */
    findEndpoint: async (partnerId: string): Promise<Endpoint> => {
      const { endpoint } = await endpoints.view(partnerId, { consistent: true });
      if (endpoint) return endpoint;
      throw await noEndpoint(partnerId);
    },
    /** Why a partner without an endpoint has none: there may be no such partner. */
    noEndpoint,
    /** Why a change was not done: there is no such partner, or another operator or a worker was faster. */
    notChanged: async (partnerId: string): Promise<CommandError> => {
      await listKeys(partnerId);
      return changedMeanwhile(partnerId);
    },
    /** Prompts for a text before something that is hard to undo. */
    confirm: async (expected: string, consequence: string, name = "the partner's id"): Promise<void> => {
      const prompt = { consequence: `${consequence}\nThis is ${on}.`, expected, name };
      if (!yes) await confirm(deps.terminal, prompt);
    },
  };
}

/** The stores and the terminal that a command works with while its table is open. */
export type Session = ReturnType<typeof sessionOn>;

/** A command prints the text, or with --json the document, and then fails with the sentence if there is one. */
type Report = { text: string; json: object; failed?: string | undefined };

/** Makes the action of a command: it opens a session, does the work in it, and prints the report. */
export type Run = <Args extends unknown[]>(
  work: (session: Session, ...args: Args) => Promise<Report>,
) => (...args: Args) => Promise<void>;

/** A command about one partner; `details` end its help. */
export function partnerCommand(name: string, description: string, details?: string) {
  const command = new Command(name).description(description).argument('<partnerId>');
  return details === undefined ? command : command.addHelpText('after', `\n${details}`);
}

/** The times at which the secrets were created, the oldest first. */
export function creationTimes(secrets: readonly { createdAt: number }[]): string[] {
  return secrets.map((secret) => formatTime(secret.createdAt)).sort();
}

/** The failure of a change whose condition did not hold, because another operator or a worker was faster. */
export function changedMeanwhile(partnerId: string): CommandError {
  return failure(
    `${partnerId} was changed by somebody else at the same moment, nothing was done: run it again.`,
  );
}

const cacheMinutes = authorizerCacheSeconds / 60;

/** Sentences that say when a change takes effect. */
export const effective = {
  atGateway: `It takes effect within ${cacheMinutes} minutes, because the gateway caches the authorizer's response.`,
  atWorkers: `It takes effect within ${viewKeptMs / 1_000} seconds, in all workers.`,
};
