import { styleText } from 'node:util';
import type { Endpoints } from './endpoints.ts';
import { npmRun, quoted } from './running-service.ts';

function column(pairs: readonly (readonly [name: string, text: string])[], style: 'bold' | 'cyan'): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, text]) => `  ${styleText(style, name.padEnd(width))}  ${text}`).join('\n');
}

function firstRequests(baseUrl: string, stateDir: string): string {
  const curl = `${styleText('cyan', 'curl')} -K ${quoted(`${stateDir}/curl.conf`)} ${baseUrl}`;
  return `
Send a list of service points, poll its session, list the check-ins of a point:
  ${curl}/places/sync \\
    -d '{"places":[{"itemId":"bar-1","placeInfo":{"address":"Arbat 1"}}]}'
  ${curl}/places/sync/SESSION_ID
  ${curl}/partner/api/place/bar-1/checkins
`;
}

/** The text that a newcomer needs first, in colours if the terminal shows them. */
export function welcome(endpoints: Endpoints, stateDir: string): string {
  const { baseUrl, login, secret, offerId, partner, whyNoSecret, other } = endpoints;
  const lost = [whyNoSecret, other.whyNoSecret].filter((sentence) => sentence !== undefined);
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
${lost.map((sentence) => `\n  ${sentence}\n`).join('')}${secret === '' ? '' : firstRequests(baseUrl, stateDir)}
${column(next, 'cyan')}

Ctrl-C stops everything and keeps the data in ${stateDir}; --fresh begins without it.
`;
}
