import { Badge, Group, Image, Text } from '@mantine/core';
import { Card } from '../../parts/page.tsx';
import { Facts } from '../../parts/rows.tsx';
import { shownDate } from './dates.ts';
import type { Promotion } from './promotion-change.ts';

const colors = { planned: 'blue', active: 'green', completed: 'gray' } as const;

export function PromotionStatus({ status }: Pick<Promotion, 'status'>) {
  return <Badge color={colors[status]}>{status}</Badge>;
}

const style =
  'body { margin: 12px; font: 15px/1.5 sans-serif; color: #111; background: #fff; overflow-wrap: anywhere } img { max-width: 100% }';

/** Links point to a new window, which the frame may not open, so they do nothing. */
function documentOf(description: string): string {
  return `<!doctype html><html lang="ru"><head><title>Description</title><base target="_blank"><style>${style}</style></head><body>${description}</body></html>`;
}

export function PromotionView({ promotion }: { promotion: Promotion }) {
  const { name, status, startDate, endDate, discount, images, description } = promotion;
  // The Content-Security-Policy lets the page load no other images.
  const shown = Object.entries(images).filter(([, url]) => url?.startsWith('https:'));
  return (
    <Card title="Stored promotion">
      <Facts
        facts={{
          Name: name,
          Status: <PromotionStatus status={status} />,
          From: shownDate(startDate),
          To: shownDate(endDate),
          Discount: discount || 'none',
          ...images,
        }}
      />
      <Group mt="sm">
        {shown.map(([kind, url]) => (
          <Image key={kind} src={url} alt={kind} h={80} w="auto" referrerPolicy="no-referrer" />
        ))}
      </Group>
      <Text c="dimmed" mt="sm" mb={4}>
        This is the description after the service has removed scripts, styles, handlers and unknown elements.
      </Text>
      {description === '' ? (
        <Text>There is no description.</Text>
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
