import { listCheckInsOperation } from '../../functions/check-ins/list-check-ins.ts';
import { openCheckInOperation } from '../../functions/check-ins/open-check-in.ts';
import { registerCheckInOperation } from '../../functions/check-ins/register-check-in.ts';
import { getSyncOperation } from '../../functions/places/get-sync.ts';
import { listPlacesOperation } from '../../functions/places/list-places.ts';
import { listSyncsOperation } from '../../functions/places/list-syncs.ts';
import { listWalletPlacesOperation } from '../../functions/places/list-wallet-places.ts';
import { startSyncOperation } from '../../functions/places/start-sync.ts';
import type { Documented } from './documented.ts';
import { alertOperations } from './operations/alerts.ts';
import { endpointOperations } from './operations/endpoint.ts';
import { eventOperations } from './operations/events.ts';
import { keyOperations } from './operations/keys.ts';
import { promotionOperations } from './operations/promotions.ts';
import { pushOperations } from './operations/push.ts';
import { sandboxOperations } from './operations/sandbox.ts';

const exampleSession = '5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11';
const examplePlace = {
  itemId: '000069302',
  placeInfo: {
    name: 'Юнион Джек',
    address: 'Нижний Кисельный переулок, дом 3, строение 1',
    phones: [{ type: 'main', number: '(495) 621-19-63' }],
    schedule: 'ежедневно 12:00-00:00',
    metroStations: ['Кузнецкий мост'],
    type: 'бар',
    geoPoint: { lat: 55.765366956773974, lng: 37.62158794633811 },
  },
};

const operations = [
  {
    operation: startSyncOperation,
    tag: 'Service points',
    summary: 'Start a synchronisation session with the full list of service points',
    description:
      'After the session the offer has exactly the valid points of this list, and those whose element was ' +
      'rejected as they were before. Points that the list does not name are removed, unless they are more than half of the points and at least 20, or every one of 5 or more: that needs `confirmRemovals`. An invalid element is ' +
      'not an HTTP error: the session reports it in `errors`. Sessions of one offer take effect in the ' +
      'order in which they were accepted. At most 100,000 places: 4,700,000 bytes of gzip, 64 MB ' +
      'uncompressed, or plain JSON that takes 6,266,668 bytes with its quotes, backslashes and line breaks escaped (3,000,000 bytes always fit). With `dryRun` everything is planned and nothing is changed.',
    requestExample: { places: [examplePlace] },
    responseExample: { sessionId: exampleSession },
  },
  {
    operation: getSyncOperation,
    tag: 'Service points',
    summary: 'Get the status of a synchronisation session',
    description:
      'Poll until FINISHED; `retry-after` says when to poll again. `errors` holds every rejected element ' +
      'as it was sent with a description, in the order of the list. `remarks` tell what was accepted and looks wrong, ' +
      'such as swapped coordinates or members that were ignored; they reject and change nothing. `changes` name the ' +
      'points that the list adds, updates and removes, in dry runs too. A session is kept 30 days.',
    responseHeaders: ['retry-after'],
    responseExample: {
      sessionId: exampleSession,
      status: 'FINISHED',
      errors: [
        {
          place: { itemId: '000058901', placeInfo: { name: 'Бар «Джонни Грин Паб»' } },
          description: 'places[1].placeInfo.address: required',
        },
      ],
      counts: { received: 533, added: 3, updated: 12, unchanged: 517, removed: 2, rejected: 1 },
      remarks: [
        {
          code: 'COORDINATES_SWAPPED',
          count: 1,
          samples: [
            {
              itemId: '000066591',
              description:
                'places[3].placeInfo.geoPoint: lat and lng look swapped: 37.464747, 55.784997 is 2432 km from the middle of the list, 55.784997, 37.464747 is 11 km; send them the other way round',
            },
          ],
        },
        {
          code: 'MEMBER_UNKNOWN',
          count: 12,
          samples: [
            {
              itemId: '000069302',
              description: 'places[0].placeInfo.shedule: unknown, did you mean schedule?',
            },
          ],
        },
      ],
      changes: {
        added: ['000081686', '000081687', '000081688'],
        removed: ['000023137', '000019757'],
        updated: [{ itemId: '000066591', members: ['schedule', 'geoPoint'] }],
      },
    },
  },
  {
    operation: listSyncsOperation,
    tag: 'Service points',
    summary: 'List the newest synchronisation sessions',
    description:
      'The newest 20 of the offer that were accepted, newest first, dry runs too. Of lists that were sent at the same moment, the first here need not be the last that took effect.',
    responseExample: {
      sessions: [
        {
          sessionId: exampleSession,
          status: 'FINISHED',
          counts: { received: 533, added: 3, updated: 12, unchanged: 517, removed: 2, rejected: 1 },
          startedAt: '2026-05-20T12:00:00.000Z',
        },
      ],
    },
  },
  {
    operation: listPlacesOperation,
    tag: 'Service points',
    summary: 'List the service points of the offer',
    description:
      'As the wallet platform reads them. Pages in the order of itemId (UTF-8 bytes). The last page has no `cursor`.',
    responseExample: { places: [examplePlace], cursor: 'WyJwbGFjZXMiLCJiYXItMSJd' },
  },
  {
    operation: listCheckInsOperation,
    tag: 'Check-ins',
    summary: 'List the active check-ins of a service point',
    description:
      'Oldest first. A check-in that was redeemed before this request is never listed. A `/` in placeId is sent as ' +
      '%2F. An itemId with `?` or `#` goes into the query, with `-` in its place in the path.',
    responseExample: [{ secretCode: '0022', checkinNumber: 17, cardNumber: '9643907500000012' }],
  },
  {
    operation: registerCheckInOperation,
    tag: 'Check-ins',
    summary: 'Redeem a check-in',
    description:
      'Deactivates the check-in, exactly once, even under concurrent requests. Send an `Idempotency-Key`, ' +
      'so that a request whose response was lost can be repeated: it gets the first response again.',
    requestExample: { checkinNumber: 17 },
    responseExample: {
      checkinNumber: 17,
      cardNumber: '9643907500000012',
      registeredAt: '2026-05-20T12:00:01.234Z',
    },
  },
  {
    operation: openCheckInOperation,
    tag: 'Wallet',
    summary: 'Check in a card at a service point',
    description:
      'A card has at most one active check-in at a place: opening again returns the same one. It lives 2 ' +
      'hours unless agreed otherwise with the partner.',
    requestExample: { offerId: 'bars-of-moscow', placeId: '000069302', cardNumber: '9643907500000012' },
    responseExample: { checkinNumber: 17, secretCode: '0022', expiresAt: '2026-05-20T14:00:00.000Z' },
  },
  {
    operation: listWalletPlacesOperation,
    tag: 'Wallet',
    summary: "List an offer's service points",
    description: 'Pages in the order of itemId (UTF-8 bytes). The last page has no `cursor`.',
    responseExample: { places: [examplePlace], cursor: 'WyJwbGFjZXMiLCJiYXItMSJd' },
  },
  ...sandboxOperations,
  ...keyOperations,
  ...eventOperations,
  ...alertOperations,
  ...endpointOperations,
  ...pushOperations,
  ...promotionOperations,
] satisfies readonly Documented[];

export const documented: readonly Documented[] = operations;

/** The contracts as types, from which the console takes requests and responses. */
export type Contract = (typeof operations)[number]['operation'];
