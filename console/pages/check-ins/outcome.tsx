import { Alert, Button, CopyButton, Group, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ApiError } from '../../api/api-error.ts';
import type { Answer } from '../../api/operations.ts';
import { Failure } from '../../parts/failure.tsx';
import { Time } from '../../parts/time.tsx';

export type CheckIn = Answer<'GET /partner/api/place/{placeId}/checkins'>[number];

interface Props {
  readonly checkIn: CheckIn;
  readonly redemption: Pick<
    UseMutationResult<Answer<'POST /partner/api/checkin/register'>, ApiError, never>,
    'data' | 'error'
  >;
  readonly repeat: () => void;
}

/** What came of a redemption, and what to do now. */
export function Outcome({ checkIn: { secretCode }, redemption: { data, error }, repeat }: Props) {
  if (error?.code === 'CHECKIN_NOT_ACTIVE' || error?.code === 'CHECKIN_NOT_FOUND') {
    return (
      <Alert color="yellow" role="alert" title={`Code ${secretCode} is no longer valid`}>
        <Text size="sm">
          Another till redeemed it just now, or it has expired: nothing was redeemed here. Do not give the
          benefit for this code; ask the customer to check in again.
        </Text>
        <Text size="xs" c="dimmed" mt={4}>
          {error.message}
        </Text>
      </Alert>
    );
  }
  if (error) return <Failure error={error} title={`Code ${secretCode} may not be redeemed`} retry={repeat} />;
  if (!data) return null;
  return (
    <Alert color="green" role="status" title={`Code ${secretCode} is redeemed`}>
      <Text size="sm">Enter this card at the cash desk, so that the purchase counts for it:</Text>
      <Group my={4}>
        <Text fw={700} fz={22} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {data.cardNumber}
        </Text>
        <CopyButton value={data.cardNumber}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Text size="xs" c="dimmed">
        Redeemed once, <Time at={data.registeredAt} />.
      </Text>
    </Alert>
  );
}
