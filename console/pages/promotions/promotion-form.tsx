import { Button, Group, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { type ChangeEvent, type FormEvent, useState } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { useSend } from '../../api/use-api.ts';
import { Failure } from '../../parts/failure.tsx';
import { zones } from './dates.ts';
import {
  fieldsOf,
  newPromotion,
  type Promotion,
  type PromotionFields,
  promotionChange,
} from './promotion-change.ts';

const changes = ['GET /promo/v1/details', 'GET /promo/v1/all'] as const;

interface Props {
  readonly promotion: Promotion | undefined;
  readonly onSaved: (id: string) => void;
}

export function PromotionForm({ promotion, onSaved }: Props) {
  const [fields, setFields] = useState(() => fieldsOf(promotion));
  const create = useSend('POST /promo/v1/create', changes);
  const update = useSend('POST /promo/v1/update', changes);
  const error = create.error ?? update.error;
  const wrong = fieldErrors(error);

  /** What every input of the form is given. */
  const input = (name: keyof PromotionFields, inAnswer: string = name) => ({
    value: fields[name],
    error: wrong[inAnswer],
    onChange: ({
      currentTarget: { value },
    }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
      setFields((before) => ({ ...before, [name]: value })),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    const onSuccess = ({ promoId }: { promoId: number }) => onSaved(String(promoId));
    if (promotion) update.mutate({ body: promotionChange(fields, promotion) }, { onSuccess });
    else create.mutate({ body: newPromotion(fields) }, { onSuccess });
  }

  const offsets = zones.some(({ value }) => value === fields.offset)
    ? zones
    : [{ value: fields.offset, label: `UTC${fields.offset}` }, ...zones];
  return (
    <Stack component="form" onSubmit={submit}>
      <TextInput label="Name" placeholder="Кофе в подарок" {...input('name')} />
      <NativeSelect label="Time zone of both dates" data={offsets} {...input('offset')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput type="datetime-local" label="From" step="any" {...input('start', 'startDate')} />
        <TextInput type="datetime-local" label="To (empty: no end)" step="any" {...input('end', 'endDate')} />
      </SimpleGrid>
      <TextInput label="Discount" placeholder="15 %" {...input('discount')} />
      <TextInput label="Wide image" placeholder="https://" {...input('imageWide', 'images.imageWide')} />
      <TextInput
        label="Square image"
        placeholder="https://"
        {...input('imageSquare', 'images.imageSquare')}
      />
      <Textarea
        label="Description"
        description="HTML, at most 10,000 characters. How it looks is shown when it is saved."
        autosize
        minRows={6}
        maxRows={16}
        spellCheck={false}
        {...input('description')}
      />
      <Failure error={error} title="The promotion was not saved" />
      <Group justify="flex-end">
        <Button type="submit" loading={create.isPending || update.isPending}>
          {promotion ? 'Save' : 'Create'}
        </Button>
      </Group>
    </Stack>
  );
}
