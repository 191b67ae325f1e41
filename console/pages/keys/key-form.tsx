import { Button, Group, MultiSelect, Radio, Stack, TagsInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import type { Answer } from '../../api/operations.ts';
import { useSend } from '../../api/use-api.ts';
import { usePlaces } from '../../api/use-places.ts';
import { Failure } from '../../parts/failure.tsx';
import { useSession } from '../../session/session.tsx';
import { type Role, roleNames, roles } from './roles.ts';

interface Props {
  readonly onClose: () => void;
  readonly onCreated: (made: Answer<'POST /keys'>) => void;
}

export function KeyForm({ onClose, onCreated }: Props) {
  const { key } = useSession();
  const [role, setRole] = useState<Role>('cash-desk');
  const [label, setLabel] = useState('');
  const [offerIds, setOfferIds] = useState<string[]>([]);
  const [placeIds, setPlaceIds] = useState<string[]>([]);
  const { mutate, error, isPending } = useSend('POST /keys', ['GET /keys']);
  const wrong = fieldErrors(error);
  const isCashDesk = role === 'cash-desk';
  const { places } = usePlaces({ enabled: isCashDesk });

  function submit(event: FormEvent) {
    event.preventDefault();
    const body = {
      role,
      ...(label.trim() === '' ? {} : { label: label.trim() }),
      ...(offerIds.length === 0 ? {} : { offerIds }),
      ...(isCashDesk && placeIds.length > 0 ? { placeIds } : {}),
    };
    mutate({ body }, { onSuccess: onCreated });
  }

  return (
    <Stack component="form" onSubmit={submit}>
      <Radio.Group
        label="Role"
        error={wrong['role']}
        value={role}
        onChange={(value) => setRole(value as Role)}
      >
        <Stack gap="xs" mt="xs">
          {roleNames.map((name) => (
            <Radio key={name} value={name} label={name} description={roles[name]} />
          ))}
        </Stack>
      </Radio.Group>
      <TextInput
        label="Label"
        description="For people: where the key is used."
        placeholder="Касса 1, Тверская"
        error={wrong['label']}
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <MultiSelect
        label="Offers"
        description="None chosen: all offers of your account, also later ones."
        data={key.offerIds}
        error={wrong['offerIds']}
        value={offerIds}
        onChange={setOfferIds}
        clearable
        clearButtonProps={{ 'aria-label': 'Choose no offers' }}
      />
      {isCashDesk && (
        <TagsInput
          label="Service points"
          description="The itemIds it is limited to, 100 at most; they need not exist yet. None: all."
          data={places.map(({ itemId }) => itemId)}
          limit={50}
          maxTags={100}
          error={wrong['placeIds']}
          value={placeIds}
          onChange={setPlaceIds}
        />
      )}
      <Failure error={error} title="The key was not created" />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          Create
        </Button>
      </Group>
    </Stack>
  );
}
