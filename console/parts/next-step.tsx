import { Button, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface Props {
  readonly title: string;
  readonly children: ReactNode;
  readonly to?: { readonly name: string; readonly path: string };
}

/** Stands where a list is empty: says what to do next. */
export function NextStep({ title, children, to }: Props) {
  return (
    <Paper withBorder p="lg">
      <Title order={2} size="h5">
        {title}
      </Title>
      <Text component="div" mt={4}>
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
