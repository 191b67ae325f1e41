import {
  cashDesk,
  type Listed,
  offers,
  open,
  openedPlaces,
  openOnPhone,
  sends,
  shownMessage,
} from './access-case.ts';

const opensCheckIn = {
  reads: ['OFFER#*', 'PLACES#*', 'CHECKINS#*', 'CHECKIN#*'],
  writes: ['CHECKINCOUNTER#*', 'CHECKIN#*', 'CHECKINS#*'],
};

/** The operations of the wallet platform, and those that simulate it in the sandbox. */
export const walletCases: Record<string, Listed> = {
  'POST /wallet/check-ins': {
    caller: 'wallet',
    permissions: opensCheckIn,
    request: () => open('wallet', 'bars-of-moscow', 'place-1'),
    foreignIds: [...openedPlaces('wallet'), ...offers((id) => open('wallet', id, 'place-1'))],
  },
  'POST /sandbox/check-ins': {
    ...cashDesk,
    permissions: opensCheckIn,
    request: () => open('sandbox', 'bars-of-moscow', 'place-1'),
    foreignIds: openedPlaces('sandbox'),
  },
  'GET /sandbox/phones': { ...sends, permissions: { reads: ['PHONES#*'] } },
  'GET /sandbox/phones/{msisdn}': {
    ...sends,
    permissions: { reads: ['MSISDN#*', 'PHONE#*', 'PHONES#*'] },
    request: () => ({ path: '/sandbox/phones/79001234567' }),
  },
  'PUT /sandbox/phones/{msisdn}': {
    ...sends,
    endedKey: 'refused',
    permissions: { writes: ['PHONES#*'] },
    before: ({ onePhone }) => onePhone(),
    request: () => ({ path: '/sandbox/phones/79001234567' }),
  },
  'DELETE /sandbox/phones/{msisdn}': {
    ...sends,
    endedKey: 'refused',
    permissions: { reads: ['MSISDN#*', 'PHONE#*', 'PHONES#*'], writes: ['PHONE#*', 'PHONES#*'] },
    request: () => ({ path: '/sandbox/phones/79007777777' }),
  },
  'POST /sandbox/phones/{msisdn}/messages/{messageId}/open': {
    ...sends,
    permissions: { reads: ['PHONE#*'], writes: ['PHONE#*'], DeliveryReceipts: ['SendMessage'] },
    before: ({ onePhone }) => onePhone(),
    request: ({ own }) => openOnPhone(own.messageId),
    foreignIds: [
      shownMessage(
        "a message on another partner's phone of the same number",
        ({ foreign }) => foreign.messageId,
      ),
    ],
  },
  'GET /sandbox/callbacks': {
    permissions: { reads: ['ENDPOINT#*', 'RECEIVED#*'], writes: ['ENDPOINT#*'] },
  },
  'PUT /sandbox/callbacks': {
    endedKey: 'refused',
    permissions: { reads: ['RECEIVED#*'], writes: ['ENDPOINT#*'] },
    body: { status: 200 },
  },
  'POST /sandbox/callbacks/{token}': {
    caller: 'anybody',
    permissions: { reads: ['ENDPOINT#*'], writes: ['ENDPOINT#*', 'RECEIVED#*'] },
    request: ({ signedCallback }) => signedCallback(),
  },
  'GET /wallet/offers/{offerId}/places': {
    caller: 'wallet',
    permissions: { reads: ['OFFER#*', 'PLACES#*'] },
    request: () => ({ path: '/wallet/offers/bars-of-moscow/places' }),
    foreignIds: offers((id) => ({ path: `/wallet/offers/${id}/places` })),
  },
  'GET /wallet/offers/{offerId}/promos': {
    caller: 'wallet',
    permissions: { reads: ['OFFER#*', 'PROMOS#*'] },
    request: () => ({ path: '/wallet/offers/bars-of-moscow/promos' }),
    foreignIds: offers((id) => ({ path: `/wallet/offers/${id}/promos` })),
  },
  'PUT /wallet/recipients': {
    caller: 'wallet',
    permissions: { writes: ['MSISDN#*'] },
    body: { registered: [79_007_654_321] },
  },
};
