import { readArguments } from '../../infra/arguments.ts';

export interface InvokeOptions {
  readonly functionName: string;
  readonly eventFile: string;
  readonly stateDir: string;
  readonly json: boolean;
}

export type InvokeCommand =
  | { readonly kind: 'invoke'; readonly options: InvokeOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly sentence: string };

export const help = `Runs one function of the built service on this machine, without Docker.

npm run invoke -- <Function> [event.json] [options]

  <Function>          Its id, as in the template: StartSync, ProcessSlice ...
  [event.json]        What it is invoked with (default events/<Function>.json)

  --json              Print one JSON document instead of text
  --state <folder>    State folder of the service that npm start runs (default .local)
  --help              Show this text

With a running service (npm start) the function works on its data. Otherwise it gets a table and queues of
its own with two partners in them, which are thrown away afterwards. DYNAMODB_ENDPOINT and SQS_ENDPOINT take
the place of those, as with npm start.

Exit code: 0 when the function answered, 1 when it failed (threw, ran out of time, could not be loaded),
2 for a wrong command line.`;

function mistake(sentence: string): InvokeCommand {
  return { kind: 'mistake', sentence };
}

function parse(args: readonly string[]) {
  return readArguments(args, {
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      state: { type: 'string', default: '.local' },
      help: { type: 'boolean', default: false },
    },
  });
}

/** Reads what stands behind `npm run invoke --`. Whether there is such a function, the template knows. */
export function readInvokeCommand(args: readonly string[]): InvokeCommand {
  const read = parse(args);
  if (typeof read === 'string') return mistake(`${read}: --help lists the options.`);
  const { values, positionals } = read;
  if (values.help) return { kind: 'help' };
  const [functionName, eventFile = `events/${functionName}.json`, surplus] = positionals;
  if (functionName === undefined) return mistake('Name a function: events/ has a sample event for each.');
  if (surplus !== undefined) {
    return mistake(`One function and one event file at most, not also "${surplus}".`);
  }
  return { kind: 'invoke', options: { functionName, eventFile, stateDir: values.state, json: values.json } };
}
