import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { every, useApi, useSend } from '../../api/use-api.ts';
import { Answered } from '../../parts/answered.tsx';
import { Card } from '../../parts/card.tsx';
import { Paged } from '../../parts/paged.tsx';
import { type CheckIn, Outcome } from './outcome.tsx';

const againAfterMs = 2_000;

interface Props {
  readonly placeId: string;
  readonly mayRedeem: boolean;
}

export function Till({ placeId, mayRedeem }: Props) {
  const checkIns = useApi(
    'GET /partner/api/place/{placeId}/checkins',
    { path: { placeId } },
    { refetchInterval: every(againAfterMs) },
  );
  const redemption = useSend('POST /partner/api/checkin/register', [
    'GET /partner/api/place/{placeId}/checkins',
  ]);
  const [tried, setTried] = useState<CheckIn>();
  const [code, setCode] = useState('');
  const codeField = useRef<HTMLInputElement>(null);
  // A click that is repeated after a lost answer gets the answer, while another till loses.
  const [till] = useState(() => crypto.randomUUID());

  const active = checkIns.data ?? [];
  const shown = active.filter(({ secretCode }) => secretCode.startsWith(code));

  function redeem(checkIn: CheckIn) {
    const { checkinNumber } = checkIn;
    setTried(checkIn);
    setCode('');
    redemption.mutate({ body: { checkinNumber }, idempotencyKey: `${till}-${checkinNumber}` });
    codeField.current?.focus();
  }

  function redeemOnly(event: FormEvent) {
    event.preventDefault();
    const [only, ...others] = shown;
    if (only && others.length === 0) redeem(only);
  }

  return (
    <>
      {tried && <Outcome checkIn={tried} redemption={redemption} repeat={() => redeem(tried)} />}
      <Card title="Active check-ins">
        <Answered query={checkIns}>
          {() => (
            <Stack gap="sm">
              <Text size="sm" role="status">
                {active.length === 0
                  ? 'Nobody is checked in. A customer checks in with the wallet app: the code then appears here.'
                  : `${active.length} checked in. The list refreshes by itself.`}
              </Text>
              {mayRedeem && active.length > 0 && (
                <form onSubmit={redeemOnly}>
                  <TextInput
                    ref={codeField}
                    label="Code that the customer names"
                    description="Type until one check-in is left, then press Enter to redeem it."
                    inputMode="numeric"
                    autoComplete="off"
                    maxLength={4}
                    maw={320}
                    value={code}
                    onChange={(event) => setCode(event.currentTarget.value.trim())}
                    error={shown.length === 0 && 'Nobody is checked in here with this code.'}
                  />
                </form>
              )}
              <Paged items={shown}>
                {(page) =>
                  page.map((checkIn) => (
                    <Row
                      key={checkIn.checkinNumber}
                      checkIn={checkIn}
                      busy={redemption.isPending && tried?.checkinNumber === checkIn.checkinNumber}
                      {...(mayRedeem ? { redeem: () => redeem(checkIn) } : {})}
                    />
                  ))
                }
              </Paged>
            </Stack>
          )}
        </Answered>
      </Card>
    </>
  );
}

interface RowProps {
  readonly checkIn: CheckIn;
  readonly busy: boolean;
  readonly redeem?: () => void;
}

function Row({ checkIn: { secretCode, cardNumber, checkinNumber }, busy, redeem }: RowProps) {
  return (
    <Paper withBorder p="sm">
      <Group wrap="nowrap" justify="space-between">
        <Group gap="lg" miw={0}>
          <Text fw={700} ff="monospace" fz={28} lh={1}>
            {secretCode}
          </Text>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            Card {cardNumber}
            <Text span size="xs" c="dimmed" display="block">
              Check-in {checkinNumber}
            </Text>
          </Text>
        </Group>
        {redeem && (
          <Button
            loading={busy}
            onClick={redeem}
            aria-label={`Redeem ${secretCode}`}
            style={{ flexShrink: 0 }}
          >
            Redeem
          </Button>
        )}
      </Group>
    </Paper>
  );
}
