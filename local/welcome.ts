import { styleText } from 'node:util';
import type { Endpoints } from './endpoints.ts';
import type { Note } from './partner-notes.ts';
import { npmRun, quoted } from './typed-command.ts';

function column(pairs: readonly (readonly [name: string, text: string])[], style: 'bold' | 'cyan'): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, text]) => `  ${styleText(style, name.padEnd(width))}  ${text}`).join('\n');
}

/** Prints commands on separate lines, so that they can be copied. */
function notesText(notes: readonly Note[]): string {
  const lines = notes.map(({ sentence, command }) => {
    return `  ${sentence}\n${command === undefined ? '' : `    ${styleText('cyan', command)}\n`}`;
  });
  return lines.length === 0 ? '' : `\n${lines.join('')}`;
}

function firstRequests(baseUrl: string, stateDir: string): string {
  const curl = `${styleText('cyan', 'curl')} -K ${quoted(`${stateDir}/curl.conf`)} ${baseUrl}`;
  return `
Send a list of service points, poll its session, list the check-ins of a point:
  ${curl}/places/sync \\
    -d '{"places":[{"itemId":"b1","placeInfo":{"address":"Arbat 1"}}]}'
  ${curl}/places/sync/SESSION_ID
  ${curl}/partner/api/place/b1/checkins
`;
}

type Started = { readonly endpoints: Endpoints; readonly notes: readonly Note[] };

/** The text that a newcomer needs first, in colours if the terminal shows them. */
export function welcome({ endpoints, notes }: Started, stateDir: string): string {
  const { baseUrl, login, secret, offerId, partner } = endpoints;
  const credentials = [
    ['Login', login],
    ['Secret', secret],
  ] as const;
  const facts = [
    ['Console', `${baseUrl}/console`],
    ['Base URL', baseUrl],
    ...(secret === '' ? [] : credentials),
    ['offerId', offerId],
  ] as const;
  const next = [
    [npmRun('demo', '', stateDir), 'the whole story, step by step'],
    ...(partner ? [[`${partner.url}/received`, 'the callbacks a partner got'] as const] : []),
    [`${stateDir}/endpoints.json`, 'all addresses and credentials'],
    [`${stateDir}/logs/`, 'what the functions log'],
  ] as const;
  return `
${styleText('green', 'The service is ready.')}

${column(facts, 'bold')}
${notesText(notes)}${secret === '' ? '' : firstRequests(baseUrl, stateDir)}
${column(next, 'cyan')}

Ctrl-C stops everything and keeps the data in ${stateDir}; --fresh begins without it.
`;
}
