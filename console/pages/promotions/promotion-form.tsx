import { NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { useSend } from '../../api/use-api.ts';
import { Form, useFields } from '../../parts/form.tsx';
import { zones } from './dates.ts';
import { fieldsOf, newPromotion, type Promotion, promotionChange } from './promotion-change.ts';

type Props = { promotion: Promotion | undefined; onSaved: (id: string) => void };

const changes = ['GET /promo/v1/details', 'GET /promo/v1/all'] as const;
const date = { type: 'datetime-local', step: 'any' } as const;

export function PromotionForm({ promotion, onSaved }: Props) {
  const create = useSend('POST /promo/v1/create', changes);
  const update = useSend('POST /promo/v1/update', changes);
  const sending = promotion ? update : create;
  const { fields, input } = useFields(fieldsOf(promotion), sending.error);
  const asked = useRef({ entries: '', idempotencyKey: '' });
  const form = { sending, failed: 'The promotion was not saved', button: promotion ? 'Save' : 'Create' };

  function save() {
    const onSuccess = ({ promoId }: { promoId: number }) => onSaved(String(promoId));
    if (promotion) update.mutate({ body: promotionChange(fields, promotion) }, { onSuccess });
    else create.mutate({ body: newPromotion(fields), idempotencyKey: keyOfEntries() }, { onSuccess });
  }

  /** The same entries are created once, also when they are sent again after a lost answer. */
  function keyOfEntries(): string {
    const entries = JSON.stringify(fields);
    if (asked.current.entries !== entries) asked.current = { entries, idempotencyKey: crypto.randomUUID() };
    return asked.current.idempotencyKey;
  }

  const offsets = zones.some(({ value }) => value === fields.offset)
    ? zones
    : [{ value: fields.offset, label: `UTC${fields.offset}` }, ...zones];
  return (
    <Form {...form} onSubmit={save}>
      <TextInput label="Name" placeholder="Кофе в подарок" {...input('name')} />
      <NativeSelect label="Time zone of both dates" data={offsets} {...input('offset')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label="From" {...date} {...input('start', 'startDate')} />
        <TextInput label="To (empty: no end)" {...date} {...input('end', 'endDate')} />
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
    </Form>
  );
}
