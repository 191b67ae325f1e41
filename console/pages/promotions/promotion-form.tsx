import { NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useSend } from '../../api/use-api.ts';
import { DateTimeInput } from '../../parts/date-time.tsx';
import { Form } from '../../parts/form.tsx';
import { useSessionState } from '../../session/session-state.ts';
import { zones } from './dates.ts';
import {
  fieldsOf,
  newPromotion,
  type Promotion,
  type PromotionFields,
  problemsOf,
  promotionChange,
} from './promotion-change.ts';

type Props = { promotion: Promotion | undefined; onSave?: () => void; onSaved: (id: string) => void };

/** The draft in which nothing has been typed. */
const untouched = fieldsOf(undefined);

const changes = ['GET /promo/v1/details', 'GET /promo/v1/all'] as const;

export function PromotionForm({ promotion, onSave, onSaved }: Props) {
  // The form is compared with what it was opened with, or has saved last: others may change the rest meanwhile.
  const [stored, setStored] = useState(fieldsOf(promotion));
  const create = useSend('POST /promo/v1/create', changes, { once: true });
  const update = useSend('POST /promo/v1/update', changes);
  const sending = promotion ? update : create;
  const [draft, keepDraft] = useSessionState('new promotion', untouched);
  const form = useForm({
    initialValues: promotion ? stored : draft,
    validate: problemsOf,
    onValuesChange: (values) => promotion ?? keepDraft(() => values),
  });
  const { getInputProps: input } = form;
  const texts = { failed: 'The promotion was not saved', button: promotion ? 'Save' : 'Create' };

  function save(fields: PromotionFields) {
    onSave?.();
    const onSuccess = ({ promoId }: { promoId: number }) => {
      if (promotion) setStored(fields);
      else keepDraft(() => untouched);
      onSaved(String(promoId));
    };
    if (promotion) {
      const body = { promoId: promotion.promoId, ...promotionChange(stored, fields) };
      update.mutate({ body }, { onSuccess });
    } else {
      // A user who leaves before the response must not find it filled in, and create it twice, unless it failed.
      keepDraft(() => untouched);
      const created = create.mutateAsync({ body: newPromotion(fields) }, { onSuccess });
      created.catch(() => keepDraft((draft) => (draft === untouched ? fields : draft)));
    }
  }

  const { offset } = form.values;
  const offsets = zones.some(({ value }) => value === offset)
    ? zones
    : [{ value: offset, label: `UTC${offset}` }, ...zones];
  return (
    <Form form={form} sending={sending} {...texts} onSubmit={save}>
      <TextInput label="Name" required placeholder="Кофе в подарок" {...input('name')} />
      <NativeSelect label="Time zone of both dates" data={offsets} {...input('offset')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DateTimeInput label="From" required step="any" {...input('startDate')} />
        <DateTimeInput label="To (empty: no end)" step="any" {...input('endDate')} />
      </SimpleGrid>
      <TextInput label="Discount" placeholder="15 %" {...input('discount')} />
      <TextInput label="Wide image" placeholder="https://" {...input('images.imageWide')} />
      <TextInput label="Square image" placeholder="https://" {...input('images.imageSquare')} />
      <Textarea
        label="Description"
        description="HTML, at most 10,000 characters. Save it to see how it looks."
        autosize
        minRows={6}
        maxRows={16}
        spellCheck={false}
        {...input('description')}
      />
    </Form>
  );
}
