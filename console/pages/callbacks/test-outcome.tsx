import { Badge, Code, Stack, Text } from '@mantine/core';
import type { ResponseTo } from '../../api/operations.ts';
import { Facts } from '../../parts/rows.tsx';

/** Returns a React key, whose change drops an outcome: it changes with the address or the secrets. */
export function targetOf({ url, secrets }: { url?: string | undefined; secrets: readonly object[] }): string {
  return JSON.stringify([url, secrets]);
}

/** Shows the request of a test, and the response to it. */
export function TestOutcome({
  delivered,
  httpStatus,
  error,
  response,
  durationMs,
  request,
}: ResponseTo<'POST /callbacks/test'>) {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const [color, outcome] = delivered ? ['green', 'delivered'] : ['red', 'failed'];
  return (
    <Stack gap="xs" role="status">
      <Facts
        facts={{
          Outcome: <Badge color={color}>{outcome}</Badge>,
          Status: [httpStatus && `HTTP ${httpStatus}`, error?.replace(/^\w+: /, '')]
            .filter(Boolean)
            .join(': '),
          Response: response,
          Duration: `${Math.round(durationMs)} ms`,
        }}
      />
      <Text>This was sent:</Text>
      <Code block>{[...headers, '', request.body].join('\n')}</Code>
    </Stack>
  );
}
