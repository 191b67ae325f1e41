import { Alert, Group, Image, Text } from '@mantine/core';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { shownDate } from './dates.ts';
import type { Promotion } from './promotion-change.ts';
import { PromotionStatus } from './promotion-status.tsx';

/** A link opens nowhere: the frame may not open windows. */
function documentOf(description: string): string {
  const style =
    'body { margin: 12px; font: 15px/1.5 sans-serif; color: #111; background: #fff; overflow-wrap: anywhere } img { max-width: 100% }';
  return `<!doctype html><html lang="ru"><head><title>Description</title><base target="_blank"><style>${style}</style></head><body>${description}</body></html>`;
}

export function PromotionView({
  promotion,
  isSaved,
}: {
  readonly promotion: Promotion;
  readonly isSaved: boolean;
}) {
  const { status, startDate, endDate, discount, images, description } = promotion;
  // Those alone the policy of the console lets the page load.
  const shown = Object.entries(images).filter(([, url]) => url?.startsWith('https:'));
  return (
    <Card title="As it is stored">
      {isSaved && (
        <Alert role="status" color="green" mb="sm">
          Saved.
        </Alert>
      )}
      <Facts
        facts={[
          ['Status', <PromotionStatus key="status" status={status} />],
          ['From', shownDate(startDate)],
          ['To', endDate === null ? 'no end' : shownDate(endDate)],
          ['Discount', discount || 'none'],
          ...Object.entries(images),
        ]}
      />
      <Group mt="sm">
        {shown.map(([name, url]) => (
          <Image key={name} src={url} alt={name} h={80} w="auto" referrerPolicy="no-referrer" />
        ))}
      </Group>
      <Text size="sm" c="dimmed" mt="sm" mb={4}>
        The description, without what the service takes out: scripts, styles, handlers and unknown elements.
      </Text>
      {description === '' ? (
        <Text size="sm">There is none.</Text>
      ) : (
        <iframe
          title="Description"
          sandbox=""
          srcDoc={documentOf(description)}
          style={{ width: '100%', height: 320, border: '1px solid var(--mantine-color-default-border)' }}
        />
      )}
    </Card>
  );
}
