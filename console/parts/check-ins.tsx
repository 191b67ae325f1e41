import { Alert, NativeSelect, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSend } from '../api/use-api.ts';
import { type Place, usePlaces } from '../api/use-places.ts';
import { useSession, useSessionState } from '../session/session.tsx';
import { count, Time } from './figures.tsx';
import { LineForm } from './form.tsx';
import { nameOf, placesMatching, usablePlace } from './places.ts';
import { Failure } from './response.tsx';

type Choice = ReturnType<typeof usePlaceChoice>;

/** The service point that was last chosen on any page, or an empty text. */
export function usePlaceChoice() {
  const { key, offerId } = useSession();
  const [chosen, set] = useSessionState(`place of ${offerId}`, '');
  return { placeId: usablePlace(chosen, key.placeIds), choose: (next: string) => set(() => next) };
}

export function PlacePicker(choice: Choice) {
  const { key } = useSession();
  if (key.role !== 'cash-desk') return <FromList {...choice} />;
  return key.placeIds ? <FromKey {...choice} placeIds={key.placeIds} /> : <ById {...choice} />;
}

const label = 'Service point';
const optionsShown = 50;

function FromList({ placeId, choose }: Choice) {
  const { offerId } = useSession();
  const { places, isComplete, error, retry } = usePlaces();
  const [search, setSearch] = useState('');
  const chosen = places.find(({ itemId }) => itemId === placeId);
  // If the field shows the name of the chosen service point, that text is not a search.
  const words = chosen && search === nameOf(chosen) ? '' : search;
  const found = placesMatching(places, words, optionsShown);
  const options = new Set<Place>(chosen ? [chosen, ...found] : found);
  if (offerId === undefined) return <Text>This key may not use any offer, which has service points.</Text>;
  return (
    <>
      <Select
        label={label}
        placeholder="Id, name or address"
        description={!isComplete && `${count(places.length)} service points read so far …`}
        data={[...options].map((place) => ({ value: place.itemId, label: nameOf(place) }))}
        filter={({ options: all }) => all}
        searchable
        allowDeselect={false}
        searchValue={search}
        onSearchChange={setSearch}
        value={placeId || null}
        onChange={(value) => choose(value ?? '')}
        nothingFoundMessage={isComplete ? 'No service point has these words.' : 'Not found so far'}
      />
      <Failure error={error} title="The service points could not be read" retry={retry} />
    </>
  );
}

function FromKey({ placeId, choose, placeIds }: Choice & { placeIds: readonly string[] }) {
  return (
    <NativeSelect
      label={label}
      description="This key is limited to these service points."
      value={placeId}
      onChange={(event) => choose(event.currentTarget.value)}
      data={[...(placeIds.length === 1 ? [] : [{ value: '', label: 'Choose …' }]), ...placeIds]}
    />
  );
}

function ById({ placeId, choose }: Choice) {
  return (
    <div>
      <LineForm label="Id of the service point" required initial={placeId} button="Open" onSubmit={choose} />
      <Text size="xs" c="dimmed" mt={4}>
        A key of a cash desk may not read the list of service points, so type the id (itemId) of yours. If the
        key were limited to service points, you could choose one of them here.
      </Text>
    </div>
  );
}

export function CheckInForm({ placeId }: { placeId: string }) {
  const { offerId = '' } = useSession();
  const changes = ['GET /partner/api/place/{placeId}/checkins'] as const;
  const { mutate, data, error, isPending } = useSend('POST /sandbox/check-ins', changes);
  if (placeId === '') return <Text>Choose a service point first.</Text>;
  return (
    <Stack gap="xs">
      <LineForm
        label="Loyalty card"
        initial="9643907500000012"
        required
        maxLength={128}
        button="Check in"
        busy={isPending}
        onSubmit={(cardNumber) => mutate({ body: { offerId, placeId, cardNumber } })}
      />
      <Failure error={error} title="The card was not checked in" />
      {data && (
        <Alert color="blue" role="status" title={`Code ${data.secretCode}`}>
          The customer says it at the cash desk. It is valid until <Time at={data.expiresAt} />.
        </Alert>
      )}
    </Stack>
  );
}
