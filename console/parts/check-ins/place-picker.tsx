import { Button, Group, NativeSelect, Select, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type Place, usePlaces } from '../../api/use-places.ts';
import { useKept } from '../../session/kept.ts';
import { useSession } from '../../session/session.tsx';
import { Failure } from '../failure.tsx';
import { placesMatching } from './places-matching.ts';

interface Choice {
  /** Empty until one is chosen. */
  readonly placeId: string;
  readonly choose: (placeId: string) => void;
}

/** The service point that was chosen last, on whatever page. */
export function usePlaceChoice(): Choice {
  const { offerId } = useSession();
  const [placeId, set] = useKept(`place of ${offerId}`, '');
  return { placeId, choose: (chosen) => set(() => chosen) };
}

/** Chooses a service point in the way that the key allows. */
export function PlacePicker(choice: Choice) {
  const { key } = useSession();
  if (key.role !== 'cash-desk') return <FromList {...choice} />;
  return key.placeIds ? <OfKey {...choice} placeIds={key.placeIds} /> : <ById {...choice} />;
}

const label = 'Service point';
const optionsShown = 50;

function FromList({ placeId, choose }: Choice) {
  const { places, isComplete, error, refetch } = usePlaces();
  const [search, setSearch] = useState('');
  const chosen = places.find(({ itemId }) => itemId === placeId);
  // The name of the chosen one stands in the field: it is no search.
  const isSearch = !chosen || search !== nameOf(chosen);
  const found = isSearch ? placesMatching(places, search, optionsShown) : places.slice(0, optionsShown);
  const options = chosen && !found.includes(chosen) ? [chosen, ...found] : found;
  const read = `${places.length.toLocaleString('en-GB')} service points read so far …`;
  return (
    <>
      <Select
        label={label}
        placeholder="Id, name or address"
        description={isComplete ? undefined : read}
        data={options.map((place) => ({ value: place.itemId, label: nameOf(place) }))}
        filter={({ options: all }) => all}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        value={placeId || null}
        onChange={(value) => choose(value ?? '')}
        nothingFoundMessage={isComplete ? 'No service point has these words' : 'Not found so far'}
      />
      <Failure error={error} title="The service points could not be read" retry={refetch} />
    </>
  );
}

function nameOf({ itemId, placeInfo: { name, address } }: Place): string {
  return [name, address, itemId].filter(Boolean).join(' · ');
}

function OfKey({ placeId, choose, placeIds }: Choice & { readonly placeIds: readonly string[] }) {
  const only = placeIds.length === 1 ? placeIds[0] : undefined;
  useEffect(() => {
    if (only !== undefined && placeId !== only) choose(only);
  }, [only, placeId, choose]);
  return (
    <NativeSelect
      label={label}
      description="This key is limited to them."
      value={placeId}
      onChange={(event) => choose(event.currentTarget.value)}
      data={[...(only === undefined ? [{ value: '', label: 'Choose …' }] : []), ...placeIds]}
    />
  );
}

function ById({ placeId, choose }: Choice) {
  const [typed, setTyped] = useState(placeId);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        choose(typed.trim());
      }}
    >
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          label="Id of the service point"
          flex={1}
          required
          withAsterisk={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit">Open</Button>
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        A key of a cash desk may not read the list of service points, so type the id (itemId) of yours. A key
        that is limited to service points offers them here.
      </Text>
    </form>
  );
}
