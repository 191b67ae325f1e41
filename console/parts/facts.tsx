import { Box, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';

const columns = { display: 'grid', gridTemplateColumns: 'minmax(7rem, auto) 1fr', gap: '6px 16px' };

/** Names with their values, in two columns. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <Box component="dl" m={0} style={columns}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </Fragment>
      ))}
    </Box>
  );
}
