import { Alert, SimpleGrid } from '@mantine/core';
import { useApi } from '../../api/use-api.ts';
import { Notices } from '../../parts/notices.tsx';
import { Page } from '../../parts/page.tsx';
import { useSession } from '../../session/session.tsx';
import { CallbacksCard } from './callbacks-card.tsx';
import { FirstSteps } from './first-steps.tsx';
import { KeyCard } from './key-card.tsx';
import { SessionCard } from './session-card.tsx';

const againAfterMs = 10_000;

/** Is everything all right? */
export default function Overview() {
  const { key, offerId } = useSession();
  const seesCallbacks = key.role === 'full' || key.role === 'observer';
  const seesPlaces = (seesCallbacks || key.role === 'catalog') && offerId !== undefined;
  const endpoint = useApi(
    'GET /callbacks/endpoint',
    {},
    { enabled: seesCallbacks, refetchInterval: againAfterMs },
  );
  const sessions = useApi('GET /places/sync', {}, { enabled: seesPlaces, refetchInterval: againAfterMs });
  return (
    <Page title="Overview">
      {key.offerIds.length === 0 && (
        <Alert color="yellow" title="This key may not use any offer">
          Ask the operator of the service for an offer, or whoever manages your keys for a key that may use
          one.
        </Alert>
      )}
      <FirstSteps endpoint={endpoint} sessions={sessions} />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {seesCallbacks && <CallbacksCard endpoint={endpoint} />}
        {seesPlaces && <SessionCard sessions={sessions} />}
        <KeyCard />
      </SimpleGrid>
      {endpoint.data && <Notices notices={endpoint.data.notices} most={10} />}
    </Page>
  );
}
