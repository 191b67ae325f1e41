import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';

/** A page of the console. `actions` are buttons beside its title, which takes the focus when the page is opened. */
export function Page(props: { title: string; actions?: ReactNode; children: ReactNode }) {
  const { title, actions, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const announced = useRef('');
  useEffect(() => {
    const documentTitle = `${title} · Partner console`;
    // After a new sign-in the same page is shown again: the focus then stays, in an open dialog for example. For another
    // offer the page begins again: the focus then stays where the offer was chosen.
    const hasBegunAgain = document.title === documentTitle && document.activeElement !== document.body;
    if (announced.current !== title && !hasBegunAgain) heading.current?.focus();
    document.title = documentTitle;
    announced.current = title;
  }, [title]);
  return (
    <Stack gap="lg" maw={1280}>
      <Group justify="space-between">
        <Title ref={heading} tabIndex={-1} order={1} size="h2" style={{ scrollMarginTop: 72 }}>
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}

/** `more` is the path of the page that has more about this. */
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

/** Stands in place of an empty list and says what to do next. */
export function NextStep({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card title={title}>
      <Text component="div" size="md">
        {children}
      </Text>
    </Card>
  );
}
