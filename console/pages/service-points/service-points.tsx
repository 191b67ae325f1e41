import { Grid } from '@mantine/core';
import { useApi } from '../../api/use-api.ts';
import { usePlaces } from '../../api/use-places.ts';
import { Failure } from '../../parts/failure.tsx';
import { NextStep } from '../../parts/next-step.tsx';
import { Page } from '../../parts/page.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useSession } from '../../session/session.tsx';
import { PlacesMap } from './places-map.tsx';
import { PlacesTable } from './places-table.tsx';
import { RecentSessions } from './recent-sessions.tsx';
import { Upload } from './upload.tsx';

/** The points of the offer, and the lists that changed them. */
export default function ServicePoints() {
  const { key, offerId } = useSession();
  const { places, isComplete, error, refetch } = usePlaces();
  const sessions = useApi(
    'GET /places/sync',
    {},
    { refetchInterval: 10_000, enabled: offerId !== undefined },
  );
  const mayUpload = key.role === 'full' || key.role === 'catalog';
  if (offerId === undefined) {
    return (
      <Page title="Service points">
        <NextStep title="This key may not use any offer">
          Service points belong to an offer: ask for one.
        </NextStep>
      </Page>
    );
  }
  return (
    <Page title="Service points">
      <Grid>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          {/* Another offer begins with no file. */}
          {mayUpload && <Upload key={offerId} />}
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: mayUpload ? 5 : 12 }}>
          <RecentSessions query={sessions} />
        </Grid.Col>
      </Grid>
      <Failure error={error} title="The service points could not be read" retry={refetch} />
      {places.length === 0 && !isComplete && !error && <Waiting what="Reading the service points" />}
      {places.length === 0 && isComplete && (
        <NextStep title="No service points yet">
          {mayUpload ? 'Upload a list above.' : 'Somebody with a key for the catalog can upload a list.'}
        </NextStep>
      )}
      {places.length > 0 && (
        <>
          <PlacesMap places={places} />
          <PlacesTable places={places} isComplete={isComplete} />
        </>
      )}
    </Page>
  );
}
