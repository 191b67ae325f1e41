import { Alert, NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useSend } from '../../api/use-api.ts';
import { DateTimeInput } from '../../parts/date-time.tsx';
import { Form } from '../../parts/form.tsx';
import { useSessionState } from '../../session/session.tsx';
import { zones } from './dates.ts';
import {
  fieldsOf,
  newPromotion,
  type Promotion,
  type PromotionFields,
  problemsOf,
  promotionChange,
} from './promotion-change.ts';

type Props = { promotion?: Promotion; onCreated?: (id: string) => void };

/** A draft has the fields as they were typed, and as the promotion had them stored when typing began. */
type Draft = { typed?: PromotionFields; stored?: PromotionFields };
const noDraft: Draft = {};

function draftOf(typed: PromotionFields, stored: PromotionFields): Draft {
  return Object.keys(promotionChange(stored, typed)).length === 0 ? noDraft : { typed, stored };
}

const changes = ['GET /promo/v1/details', 'GET /promo/v1/all'] as const;

export function PromotionForm({ promotion, onCreated }: Props) {
  // The outcome of saving a stored promotion is shown until more is typed, or another try begins.
  const [note, setNote] = useState('');
  // The form is compared with what it was opened with, or has saved last: others may change the rest meanwhile.
  const [draft, keepDraft] = useSessionState(`promotion ${promotion?.promoId ?? 'new'}`, noDraft);
  const [stored, setStored] = useState(draft.stored ?? fieldsOf(promotion));
  const create = useSend('POST /promo/v1/create', changes, { once: true });
  const update = useSend('POST /promo/v1/update', changes);
  const sending = promotion ? update : create;
  const form = useForm({
    initialValues: draft.typed ?? stored,
    validate: problemsOf,
    onValuesChange: (typed) => {
      setNote('');
      keepDraft(() => draftOf(typed, stored));
    },
  });
  const { getInputProps: input } = form;
  const texts = { failed: 'The promotion was not saved', button: promotion ? 'Save' : 'Create' };

  function save(fields: PromotionFields) {
    if (promotion) {
      const change = promotionChange(stored, fields);
      if (Object.keys(change).length === 0) return setNote('Nothing to save: no field was changed.');
      setNote('');
      // We await the response: the user may type more until it comes, or leave the page.
      update.mutateAsync({ body: { promoId: promotion.promoId, ...change } }).then(
        () => {
          const draft = draftOf(form.getValues(), fields);
          setStored(fields);
          keepDraft(() => draft);
          if (draft === noDraft) setNote('Saved.');
        },
        () => undefined,
      );
    } else {
      // A user who leaves before the response must not find it filled in, and create it twice, unless it failed.
      keepDraft(() => noDraft);
      const onSuccess = ({ promoId }: { promoId: number }) => {
        keepDraft(() => noDraft);
        onCreated?.(String(promoId));
      };
      const created = create.mutateAsync({ body: newPromotion(fields) }, { onSuccess });
      created.catch(() => keepDraft((draft) => (draft === noDraft ? { typed: fields } : draft)));
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
      {note !== '' && (
        <Alert role="status" color="green">
          {note}
        </Alert>
      )}
    </Form>
  );
}
