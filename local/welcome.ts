import type { Endpoints } from './endpoints.ts';

const samplePlaces =
  '{"places":[{"itemId":"bar-1","placeInfo":{"name":"Bar 1","address":"Moscow, Arbat 1","geoPoint":{"lat":55.75,"lng":37.6}}}]}';

/** What a newcomer needs to see first. */
export function welcome(endpoints: Endpoints, stateDir: string): string {
  const { baseUrl, login, secret, offerId, partner, wallet } = endpoints;
  const curl = `curl -s -u '${login}:${secret}' -H 'offerId: ${offerId}'`;
  const next: (readonly [where: string, what: string])[] = [
    ['npm run demo', 'check-ins, push messages and promotions, step by step'],
    ...(wallet ? [[`${wallet.url}/devices`, 'what the simulated wallet platform showed'] as const] : []),
    ...(partner
      ? [[`${partner.url}/received`, 'what the simulated partner was called back with'] as const]
      : []),
    [`${stateDir}/endpoints.json`, 'all addresses and credentials'],
    [`${stateDir}/logs/`, 'what the functions log'],
  ];
  const width = Math.max(...next.map(([where]) => where.length));
  return `
The service is ready.

  Base URL  ${baseUrl}
  Login     ${login}
  Secret    ${secret}
  offerId   ${offerId}

Send a list of service points:
  ${curl} -H 'content-type: application/json' -d '${samplePlaces}' ${baseUrl}/places/sync

Poll the session, with the sessionId of that response:
  ${curl} ${baseUrl}/places/sync/SESSION_ID

List the active check-ins of a service point:
  ${curl} ${baseUrl}/partner/api/place/bar-1/checkins

Next:
${next.map(([where, what]) => `  ${where.padEnd(width)}  ${what}`).join('\n')}

The /wallet routes, which IAM protects in AWS, are open here, on loopback only.
Ctrl-C stops everything and keeps the data; npm start -- --fresh starts from scratch.
`;
}
