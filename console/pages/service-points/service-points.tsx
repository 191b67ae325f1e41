import { Grid, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import { useApi } from '../../api/use-api.ts';
import { type Place, usePlaces } from '../../api/use-places.ts';
import { Answered, Failure, Waiting } from '../../parts/answered.tsx';
import { count } from '../../parts/count.ts';
import { changesIn, ListBadge } from '../../parts/list-badge.tsx';
import { Card, NextStep, Page } from '../../parts/page.tsx';
import { Paged } from '../../parts/paged.tsx';
import { placesMatching } from '../../parts/places.ts';
import { Rows } from '../../parts/rows.tsx';
import { Time } from '../../parts/time.tsx';
import { useSession } from '../../session/session.tsx';
import { PlacesMap } from './places-map.tsx';
import { Upload } from './upload.tsx';

export default function ServicePoints() {
  const { may, offerId } = useSession();
  const { places, isComplete, error, refetch } = usePlaces();
  const mayUpload = may('catalog');
  if (offerId === undefined) {
    return (
      <Page title="Service points">
        <NextStep title="This key may not use any offer">
          Service points belong to an offer: ask for one.
        </NextStep>
      </Page>
    );
  }
  const isEmpty = places.length === 0;
  return (
    <Page title="Service points">
      <Grid>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          {/* Another offer begins with no file. */}
          {mayUpload && <Upload key={offerId} />}
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: mayUpload ? 5 : 12 }}>
          <RecentSessions />
        </Grid.Col>
      </Grid>
      <Failure error={error} title="The service points could not be read" retry={refetch} />
      {isEmpty && !isComplete && !error && <Waiting what="Reading the service points" />}
      {isEmpty && isComplete && (
        <NextStep title="No service points yet">
          {mayUpload ? 'Upload a list above.' : 'Somebody with a key for the catalog can upload a list.'}
        </NextStep>
      )}
      {!isEmpty && <PlacesMap places={places} />}
      {!isEmpty && <PlacesTable places={places} isComplete={isComplete} />}
    </Page>
  );
}

const shown = 6;

function RecentSessions() {
  const query = useApi('GET /places/sync', {}, { refetchInterval: 10_000 });
  return (
    <Card title="Recent lists">
      <Answered query={query}>
        {({ sessions }) => (
          <Stack gap="xs">
            {sessions.length === 0 && <Text>No list was sent yet.</Text>}
            {sessions.slice(0, shown).map((session) => (
              <Group key={session.sessionId} justify="space-between" gap={4}>
                <Text>
                  <Time at={session.startedAt} />: {session.dryRun && 'would be '}
                  {changesIn(session.counts)}
                </Text>
                <ListBadge {...session} />
              </Group>
            ))}
          </Stack>
        )}
      </Answered>
    </Card>
  );
}

const rowsShown = 25;

function PlacesTable({ places, isComplete }: { places: readonly Place[]; isComplete: boolean }) {
  const [search, setSearch] = useState('');
  // Typing stays quick: the table follows.
  const deferred = useDeferredValue(search);
  const found = useMemo(() => placesMatching(places, deferred), [places, deferred]);
  return (
    <Paper component="section" withBorder p="md" aria-label="Service points">
      <Group justify="space-between" align="end" mb="sm">
        <TextInput
          label="Search"
          placeholder="Name, address, metro station or itemId"
          w={{ base: '100%', sm: 360 }}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Text size="md" role="status">
          {count(found.length)} of {count(places.length)}
          {!isComplete && ', reading more …'}
        </Text>
      </Group>
      <Paged items={found} pageSize={rowsShown}>
        {(shown) => (
          <Rows
            label="Service points"
            items={shown}
            idOf={({ itemId }) => itemId}
            columns={{
              itemId: ({ itemId }) => itemId,
              Name: ({ placeInfo }) => placeInfo.name,
              Address: ({ placeInfo }) => placeInfo.address,
              Type: ({ placeInfo }) => placeInfo.type,
            }}
            empty="Nothing has all of these words: search for less."
          />
        )}
      </Paged>
    </Paper>
  );
}
