import { Anchor, Group, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface Props {
  readonly title: string;
  /** The page that has more of it. */
  readonly more?: { readonly name: string; readonly path: string };
  readonly children: ReactNode;
}

export function Card({ title, more, children }: Props) {
  return (
    <Paper component="section" withBorder p="md" aria-label={title}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">
          {title}
        </Title>
        {more && (
          <Anchor component={Link} href={more.path} size="sm" aria-label={`Open ${more.name}`}>
            Open
          </Anchor>
        )}
      </Group>
      {children}
    </Paper>
  );
}
