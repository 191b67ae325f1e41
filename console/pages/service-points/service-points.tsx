import { Grid, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { ResponseTo } from '../../api/operations.ts';
import { seldom, useApi } from '../../api/use-api.ts';
import { type Place, usePlaces } from '../../api/use-places.ts';
import { Disclosure } from '../../parts/buttons.tsx';
import { count } from '../../parts/figures.tsx';
import { ListLine } from '../../parts/list-line.tsx';
import { Card, NextStep, Page } from '../../parts/page.tsx';
import { Paged } from '../../parts/paged.tsx';
import { placesMatching } from '../../parts/places.ts';
import { Failure, Waiting, WithResponse } from '../../parts/response.tsx';
import { Rows } from '../../parts/rows.tsx';
import { useSession, useSessionState } from '../../session/session.tsx';
import { newestOf, type Point, pointOf } from './points.ts';
import { PointLink, PointsMap } from './points-map.tsx';
import { SessionOutcome } from './session-outcome.tsx';
import { Upload } from './upload.tsx';

export default function ServicePoints() {
  const { may, offerId } = useSession();
  const { places, isComplete, error, retry } = usePlaces();
  const mayUpload = may('catalog');
  if (offerId === undefined) {
    return (
      <Page title="Service points">
        <NextStep title="This key may not use any offer">
          Service points belong to an offer. Ask the operator of the service for one.
        </NextStep>
      </Page>
    );
  }
  const isEmpty = places.length === 0;
  return (
    <Page title="Service points">
      <Grid>
        <Grid.Col span={{ base: 12, lg: 7 }}>{mayUpload && <Upload places={places} />}</Grid.Col>
        <Grid.Col span={{ base: 12, lg: mayUpload ? 5 : 12 }}>
          <RecentLists places={places} />
        </Grid.Col>
      </Grid>
      <Failure error={error} title="The service points could not be read" retry={retry} />
      {isEmpty && !isComplete && !error && <Waiting what="Reading the service points" />}
      {isEmpty && isComplete && (
        <NextStep title="No service points yet">
          {mayUpload ? 'Upload a list above.' : 'A key with the role catalog can upload a list.'}
        </NextStep>
      )}
      {!isEmpty && <StoredPoints places={places} isComplete={isComplete} />}
    </Page>
  );
}

const listsShown = 6;

function RecentLists({ places }: { places: readonly Place[] }) {
  const query = useApi('GET /places/sync', {}, seldom);
  useChangesBy(query.data?.sessions, places.length > 0);
  const [opened, setOpened] = useState<string>();
  return (
    <Card title="Recent lists">
      <WithResponse query={query}>
        {({ sessions }) => (
          <Stack gap="xs">
            {sessions.length === 0 && <Text>No list was sent lately.</Text>}
            <Paged items={sessions} pageSize={listsShown}>
              {(shown) =>
                shown.map((listed) => (
                  <div key={listed.sessionId}>
                    <Group justify="space-between" gap={4} wrap="nowrap">
                      <ListLine of={listed} />
                      <Disclosure
                        name="Details"
                        on={`of the list of ${listed.startedAt}`}
                        isOpen={opened === listed.sessionId}
                        onToggle={(isOpen) => setOpened(isOpen ? listed.sessionId : undefined)}
                      />
                    </Group>
                    {opened === listed.sessionId && (
                      <SessionOutcome title={`Session ${opened}`} sessionId={opened} places={places} />
                    )}
                  </div>
                ))
              }
            </Paged>
          </Stack>
        )}
      </WithResponse>
    </Card>
  );
}

type Sessions = ResponseTo<'GET /places/sync'>['sessions'];

/** Reads the service points again after a list has finished, also one that a program sent or whose page was left. */
function useChangesBy(sessions: Sessions | undefined, areRead: boolean) {
  const { offerId } = useSession();
  const queries = useQueryClient();
  const [known, setKnown] = useSessionState(`newest list of ${offerId}`, '');
  // Points that another page has read may be older than the newest list; those that are being read now are not.
  const [wereRead] = useState(areRead);
  const last = newestOf(sessions);
  useEffect(() => {
    if (last === undefined || last === known) return;
    setKnown(() => last);
    if (known !== '' || wereRead) queries.invalidateQueries({ queryKey: ['GET /places', offerId] });
  });
}

const rowsShown = 25;

/** The points that the search finds, as a table and on the map. */
function StoredPoints({ places, isComplete }: { places: readonly Place[]; isComplete: boolean }) {
  const [search, setSearch] = useState('');
  // The deferred value keeps typing quick: what is found follows when there is time.
  const deferred = useDeferredValue(search);
  const found = useMemo(() => placesMatching(places, deferred), [places, deferred]);
  const points = useMemo(() => found.map(pointOf), [found]);
  const [asked, ask] = useState<Point>();
  return (
    <Card title="Stored service points">
      <Group justify="space-between" align="end" mb="sm">
        <TextInput
          label="Search"
          placeholder="Name, address, metro station or itemId"
          w={{ base: '100%', sm: 360 }}
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            ask(undefined);
          }}
        />
        <Text size="md" role="status">
          {count(found.length)} of {count(places.length)}
          {!isComplete && ', reading more …'}
        </Text>
      </Group>
      {points.some(({ position }) => position) && (
        <PointsMap of="stored service points" points={points} asked={asked} />
      )}
      <Paged items={found} pageSize={rowsShown}>
        {(shown) => (
          <Rows
            label="Service points"
            items={shown}
            idOf={({ itemId }) => itemId}
            columns={{
              itemId: ({ itemId }) => itemId,
              Name: ({ placeInfo }) => placeInfo.name,
              'Address and coordinates': (place) => {
                const { address, geoPoint } = place.placeInfo;
                const text = geoPoint && `${geoPoint.lat}, ${geoPoint.lng}`;
                return (
                  <>
                    {address}
                    <Text component="div" size="xs">
                      {text && <PointLink point={pointOf(place)} text={text} onAsk={ask} />}
                    </Text>
                  </>
                );
              },
              Type: ({ placeInfo }) => placeInfo.type,
            }}
            empty="No service point has all of these words. Search for fewer."
          />
        )}
      </Paged>
    </Card>
  );
}
