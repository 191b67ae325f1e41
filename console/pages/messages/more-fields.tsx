import { Fieldset, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { Counted } from './counted.tsx';
import { type Draft, limits, type problemsOf } from './draft.ts';

interface Props {
  readonly draft: Draft;
  readonly change: (changed: Partial<Draft>) => void;
  readonly problems: ReturnType<typeof problemsOf>;
}

/** The picture, what a tap opens, and the marks for statistics. */
export function MoreFields({ draft, change, problems }: Props) {
  return (
    <>
      {draft.pushType === 'PROMO' && (
        <Counted
          label="Address of a picture"
          placeholder="https://"
          inputMode="url"
          value={draft.image}
          limit={limits.image}
          problem={problems.image}
          onChange={(image) => change({ image })}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect
          label="A tap opens"
          value={draft.target}
          onChange={(event) => change({ target: event.currentTarget.value as Draft['target'] })}
          data={[
            { value: 'card', label: 'The card' },
            { value: 'campaigns', label: 'All promotions' },
            { value: 'campaign', label: 'One promotion' },
          ]}
        />
        {draft.target === 'campaign' && (
          <TextInput
            label="Number of the promotion (promoId)"
            value={draft.campaignId}
            error={problems.campaignId}
            autoComplete="off"
            onChange={(event) => change({ campaignId: event.currentTarget.value.trim() })}
          />
        )}
      </SimpleGrid>
      <Fieldset legend="UTM, comes back in callbacks" p="sm">
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          {(['utmSource', 'utmMiddle', 'utmCampaign'] as const).map((name) => (
            <TextInput
              key={name}
              label={name}
              value={draft[name]}
              autoComplete="off"
              onChange={(event) => change({ [name]: event.currentTarget.value })}
            />
          ))}
        </SimpleGrid>
      </Fieldset>
    </>
  );
}
