import { MultiSelect, Radio, Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ResponseTo } from '../../api/operations.ts';
import { useSend } from '../../api/use-api.ts';
import { useNewSecret } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { useSession } from '../../session/session.tsx';

type Role = ResponseTo<'GET /keys/self'>['role'];

export const roles: Readonly<Record<Role, string>> = {
  full: 'Does everything, including callbacks and keys.',
  'cash-desk':
    'Sees the active check-ins of service points and redeems them. It can be limited to some service points.',
  catalog: 'Sends the list of service points and manages promotions.',
  messages: 'Sends messages, takes them back and reads their states.',
  observer: 'Reads everything and changes nothing. It is never shown a secret.',
};

const empty = { role: 'cash-desk' as Role, label: '', offerIds: [] as string[], placeIds: [] as string[] };
const anyOffer = 'Leave this empty for all offers of your account, also later ones.';
const ownOffers = 'Your key is limited to these, and can give no others.';

export function KeyForm({ onClose }: { onClose: () => void }) {
  const { key } = useSession();
  const showSecret = useNewSecret();
  const about = 'A program that uses the key needs its login and the secret.';
  const sending = useSend('POST /keys', ['GET /keys'], {
    onDone: ({ login, secret }) => showSecret({ title: `The secret of ${login}`, secret, about }),
  });
  const form = useForm({ initialValues: key.limited ? { ...empty, offerIds: key.offerIds } : empty });
  const { getInputProps: input } = form;
  const isCashDesk = form.values.role === 'cash-desk';

  function create({ role, label, offerIds, placeIds }: typeof empty) {
    const body = {
      role,
      ...(label.trim() === '' ? {} : { label: label.trim() }),
      ...(offerIds.length === 0 ? {} : { offerIds }),
      ...(isCashDesk && placeIds.length > 0 ? { placeIds } : {}),
    };
    sending.mutate({ body }, { onSuccess: onClose });
  }

  return (
    <Form
      form={form}
      sending={sending}
      failed="The key was not created"
      button="Create"
      onSubmit={create}
      onCancel={onClose}
    >
      <Radio.Group label="Role" {...input('role')}>
        <Stack gap="xs" mt="xs">
          {Object.entries(roles)
            // Messages are of the whole account, so a key that is limited could send none.
            .filter(([name]) => !key.limited || name !== 'messages')
            .map(([name, description]) => (
              <Radio key={name} value={name} label={name} description={description} />
            ))}
        </Stack>
      </Radio.Group>
      <TextInput
        label="Label"
        description="Says where the key is used."
        placeholder="Касса 1, Тверская"
        {...input('label')}
      />
      <MultiSelect
        label="Offers"
        description={key.limited ? ownOffers : anyOffer}
        data={key.offerIds}
        clearable
        {...input('offerIds')}
      />
      {isCashDesk && (
        <TagsInput
          label="Service points"
          description="The itemIds that the key is limited to, at most 100, and of 4,000 bytes together. They need not exist yet. Leave this empty for all."
          maxTags={100}
          {...input('placeIds')}
        />
      )}
    </Form>
  );
}
