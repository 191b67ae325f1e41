import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Reply } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';

function requestIdOf({ headers }: Reply): string {
  return headers.get('apigw-requestid') ?? 'the answer has none';
}

/** Returns the whole log of each function. */
export function functionLogs(stateDir: string): Map<string, string> {
  const folder = join(stateDir, 'logs');
  return new Map(
    readdirSync(folder).map((file) => [
      basename(file, '.log').replace('partner-integration-dev-', ''),
      readFileSync(join(folder, file), 'utf8'),
    ]),
  );
}

/** Returns the lines of each function that contain the text, but not those of the authorizer, which may be cached. */
function linesWith(stateDir: string, text: string): Map<string, string[]> {
  const found = [...functionLogs(stateDir)].map(([name, log]): [string, string[]] => [
    name,
    log.split('\n').filter((line) => line.includes(text)),
  ]);
  return new Map(found.filter(([name, lines]) => lines.length > 0 && name !== 'AuthorizePartner'));
}

/** Returns the lines of the request by function, once the function `last` has one of them. */
export function linesAbout(reply: Reply, { stateDir, last }: { stateDir: string; last: string }) {
  return eventually(`a line of ${last}`, () => linesWith(stateDir, requestIdOf(reply)), {
    until: (lines) => lines.has(last),
  });
}
