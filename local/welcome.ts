import type { Endpoints } from './service.ts';

const samplePlaces =
  '{"places":[{"itemId":"bar-1","placeInfo":{"name":"Bar 1","address":"Moscow, Arbat 1","geoPoint":{"lat":55.75,"lng":37.6}}}]}';

const demoNumber = 79_001_234_567;
const demoPush = JSON.stringify({
  pushType: 'SERVICE',
  msisdn: demoNumber,
  payload: { title: 'Hello', message: 'Your table is ready' },
  qos: { deliveryStatusNotifications: true },
  utm: { utmSource: 'readme' },
});

function simulated(partner: string, wallet: string): string {
  return `
What the simulated wallet platform showed:       curl -s ${wallet}/devices
What the simulated partner was called back with: curl -s ${partner}/received
`;
}

/** What a newcomer needs to see first. */
export function welcome(endpoints: Endpoints, stateDir: string): string {
  const { baseUrl, login, secret, offerId, partner, wallet } = endpoints;
  const curl = `curl -s -u '${login}:${secret}' -H 'offerId: ${offerId}'`;
  return `
The service is ready.

  Base URL  ${baseUrl}
  Login     ${login}
  Secret    ${secret}
  offerId   ${offerId}

Send a list of service points:
  ${curl} -H 'content-type: application/json' -d '${samplePlaces}' ${baseUrl}/places/sync

Poll the session, with the sessionId of that answer:
  ${curl} ${baseUrl}/places/sync/SESSION_ID

List the active check-ins of a service point:
  ${curl} ${baseUrl}/partner/api/place/bar-1/checkins

The /wallet routes, which IAM guards in AWS, are open here, on loopback only. Open a check-in with one:
  curl -s -H 'content-type: application/json' -d '{"offerId":"${offerId}","placeId":"bar-1","cardNumber":"1001"}' ${baseUrl}/wallet/check-ins

Say that a number has the wallet, and send it a push message:
  curl -s -X PUT -H 'content-type: application/json' -d '{"registered":[${demoNumber}]}' ${baseUrl}/wallet/recipients
  ${curl} -H 'content-type: application/json' -d '${demoPush}' ${baseUrl}/push/delivery
${partner && wallet ? simulated(partner.url, wallet.url) : ''}
Logs of the functions: ${stateDir}/logs/. All addresses: ${stateDir}/endpoints.json.
Ctrl-C stops everything and keeps the data; npm start -- --fresh begins anew.
`;
}
