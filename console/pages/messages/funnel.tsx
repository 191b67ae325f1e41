import { Box, Text } from '@mantine/core';
import { Bar } from '../../parts/bar.tsx';
import { type Report, stagesOf } from '../../parts/funnel.ts';

const grid = {
  display: 'grid',
  gridTemplateColumns: 'max-content minmax(60px, 1fr) max-content',
  gap: '2px 12px',
  alignItems: 'center',
};
const asCells = { display: 'contents' };
const colors: Readonly<Record<string, 'gray.6' | 'orange'>> = {
  Recipients: 'gray.6',
  Expired: 'orange',
  'Taken back': 'orange',
};

/** The stages of a send as bars below each other, with their numbers and shares beside them. */
export function Funnel({ report }: { report: Report }) {
  return (
    <Box component="dl" m={0} style={grid}>
      {stagesOf(report).map(({ name, share, text }) => (
        <div key={name} style={asCells}>
          <Text component="dt" size="xs">
            {name}
          </Text>
          <dd style={{ margin: 0 }}>
            <Bar share={share} {...(colors[name] ? { color: colors[name] } : {})} />
          </dd>
          <Text component="dd" size="xs" m={0} ta="right" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {text}
          </Text>
        </div>
      ))}
    </Box>
  );
}
