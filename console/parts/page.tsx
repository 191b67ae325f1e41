import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';

/** `actions` are buttons beside the title. */
export function Page(props: { title: string; actions?: ReactNode; children: ReactNode }) {
  const { title, actions, children } = props;
  useEffect(() => {
    document.title = `${title} · Partner console`;
  }, [title]);
  return (
    <Stack gap="lg" maw={1280}>
      <Group justify="space-between">
        <Title order={1} size="h2">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}

/** `more` is the path of the page that has more of it. */
export function Card({ title, more, children }: { title: string; more?: string; children: ReactNode }) {
  return (
    <Paper component="section" withBorder p="md" aria-label={title}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">
          {title}
        </Title>
        {more && (
          <Anchor component={Link} href={more} size="sm" aria-label={`Open ${title}`}>
            Open
          </Anchor>
        )}
      </Group>
      {children}
    </Paper>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={3} size="h6" mb={4}>
        {title}
      </Title>
      {children}
    </section>
  );
}

type Props = { title: string; children: ReactNode; to?: { readonly name: string; readonly path: string } };

/** Stands where a list is empty: says what to do next. */
export function NextStep({ title, children, to }: Props) {
  return (
    <Paper withBorder p="lg">
      <Title order={2} size="h5" mb={4}>
        {title}
      </Title>
      <Text component="div" size="md">
        {children}
      </Text>
      {to && (
        <Button component={Link} href={to.path} mt="md">
          {to.name}
        </Button>
      )}
    </Paper>
  );
}
