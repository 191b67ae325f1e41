import { styleText } from 'node:util';
import type { Endpoints } from './endpoints.ts';

function column(pairs: readonly (readonly [name: string, text: string])[], style: 'bold' | 'cyan'): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, text]) => `  ${styleText(style, name.padEnd(width))}  ${text}`).join('\n');
}

/** What a newcomer needs to see first; coloured where the terminal shows colours. */
export function welcome(endpoints: Endpoints, stateDir: string): string {
  const { baseUrl, login, secret, offerId, partner } = endpoints;
  const curl = `${styleText('cyan', 'curl')} -K ${stateDir}/curl.conf ${baseUrl}`;
  const facts = [
    ['Console', `${baseUrl}/console`],
    ['Base URL', baseUrl],
    ['Login', login],
    ['Secret', secret],
    ['offerId', offerId],
  ] as const;
  const next = [
    ['npm run demo', 'the whole story, step by step'],
    ...(partner ? [[`${partner.url}/received`, 'the callbacks a partner got'] as const] : []),
    [`${stateDir}/endpoints.json`, 'all addresses and credentials'],
    [`${stateDir}/logs/`, 'what the functions log'],
  ] as const;
  return `
${styleText('green', 'The service is ready.')}

${column(facts, 'bold')}

Send a list of service points, poll its session, list the check-ins of a point:
  ${curl}/places/sync \\
    -d '{"places":[{"itemId":"b1","placeInfo":{"address":"Arbat 1"}}]}'
  ${curl}/places/sync/SESSION_ID
  ${curl}/partner/api/place/b1/checkins

${column(next, 'cyan')}

Ctrl-C stops everything and keeps the data in ${stateDir}; --fresh begins without it.
`;
}
