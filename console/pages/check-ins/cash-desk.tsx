import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ApiError } from '../../api/api-error.ts';
import type { ResponseTo } from '../../api/operations.ts';
import { every, useApi, useSend } from '../../api/use-api.ts';
import { Copy } from '../../parts/buttons.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { count, Time } from '../../parts/figures.tsx';
import { Card } from '../../parts/page.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Failure, Waiting, WithResponse } from '../../parts/response.tsx';
import { Facts } from '../../parts/rows.tsx';

const route = 'GET /partner/api/place/{placeId}/checkins';
type CheckIn = ResponseTo<typeof route>[number];

const againAfterMs = 2_000;

export function CashDesk({ placeId, mayRedeem }: { placeId: string; mayRedeem: boolean }) {
  const checkIns = useApi(
    route,
    { path: { placeId: '-' }, query: { placeId } },
    { refetchInterval: every(againAfterMs) },
  );
  // A repeated click after a lost response redeems nothing twice. Another cash desk, with keys of its own, is refused.
  const sending = useSend('POST /partner/api/checkin/register', [], { once: true });
  const [asked, setAsked] = useState<CheckIn>();
  const [isAsking, { open, close }] = useDisclosure();
  const [tried, setTried] = useState<CheckIn>();
  const active = checkIns.data ?? [];

  function redeem(checkIn: CheckIn) {
    close();
    setTried(checkIn);
    // Reading again is not awaited, so that the outcome is shown at once.
    const { checkinNumber } = checkIn;
    sending.mutate({ body: { checkinNumber } }, { onSettled: () => checkIns.refetch() });
  }

  function ask(checkIn: CheckIn) {
    setAsked(checkIn);
    open();
  }

  const { cardNumber, secretCode, checkinNumber } = asked ?? {};
  return (
    <>
      <Dialog opened={isAsking} onClose={close} title="Redeem this check-in?" centered>
        <Stack>
          <Text>Enter this card at the cash desk first, so that it gets the points of the purchase.</Text>
          <Facts facts={{ Card: cardNumber, Code: secretCode, 'Check-in': checkinNumber }} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              data-autofocus
              // The dialog fades out, and a second click in that time must do nothing.
              onClick={() => isAsking && asked && redeem(asked)}
              // If Enter is still held down on the button that opened this, its repetitions must not redeem.
              onKeyDown={(event) => event.key === 'Enter' && event.repeat && event.preventDefault()}
            >
              Redeem
            </Button>
          </Group>
        </Stack>
      </Dialog>
      {tried && <Outcome {...sending} code={tried.secretCode} repeat={() => redeem(tried)} />}
      <Card title="Active check-ins">
        <WithResponse query={checkIns}>
          {() => (
            <Stack gap="sm">
              <Text role="status">
                {active.length === 0
                  ? 'Nobody is checked in. When a customer checks in with the wallet app, the code appears here.'
                  : `${count(active.length)} checked in. The list refreshes by itself.`}
              </Text>
              <Paged items={active}>
                {(shown) =>
                  shown.map((checkIn) => (
                    <Row key={checkIn.checkinNumber} {...checkIn}>
                      {mayRedeem && (
                        <Button
                          miw="max-content"
                          disabled={sending.isPending}
                          onClick={() => ask(checkIn)}
                          aria-label={`Redeem ${checkIn.secretCode}`}
                        >
                          Redeem
                        </Button>
                      )}
                    </Row>
                  ))
                }
              </Paged>
            </Stack>
          )}
        </WithResponse>
      </Card>
    </>
  );
}

function Row({ secretCode, cardNumber, checkinNumber, children }: CheckIn & { children: ReactNode }) {
  return (
    <Paper withBorder p="sm">
      <Group wrap="nowrap" justify="space-between">
        <Group gap="lg" miw={0}>
          <Text fw={700} ff="monospace" fz={28} lh={1}>
            {secretCode}
          </Text>
          <Text style={{ overflowWrap: 'anywhere' }}>
            Card {cardNumber}
            <Text span size="xs" c="dimmed" display="block">
              Check-in {checkinNumber}
            </Text>
          </Text>
        </Group>
        {children}
      </Group>
    </Paper>
  );
}

type Redeemed = ResponseTo<'POST /partner/api/checkin/register'> | undefined;
type OutcomeProps = {
  code: string;
  data: Redeemed;
  error: ApiError | null;
  isPending: boolean;
  repeat: () => void;
};

function Outcome({ code, data, error, isPending, repeat }: OutcomeProps) {
  if (isPending) return <Waiting what={`Redeeming code ${code}`} />;
  if (error?.code === 'CHECKIN_NOT_ACTIVE' || error?.code === 'CHECKIN_NOT_FOUND') {
    return (
      <Alert color="yellow" role="alert" title={`Code ${code} is no longer valid`}>
        Another cash desk redeemed it just now, or it has expired. Nothing was redeemed here: do not give the
        benefit for this code, and ask the customer to check in again.
        <Text size="xs" c="dimmed" mt={4}>
          {error.message}
        </Text>
      </Alert>
    );
  }
  const mayBeDone = `Code ${code} may have been redeemed. Try again: it is not redeemed twice`;
  const title = `Code ${code} may not be redeemed`;
  if (error) return <Failure error={error} title={title} mayBeDone={mayBeDone} retry={repeat} />;
  return data && <Done code={code} {...data} />;
}

/** The row of the check-in goes, and the focus of its button with it. */
function Done({ code, cardNumber, registeredAt }: { code: string } & NonNullable<Redeemed>) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => alert.current?.focus(), []);
  return (
    <Alert ref={alert} tabIndex={-1} color="green" role="status" title={`Code ${code} is redeemed`}>
      <Group my={4}>
        <Text fw={700} fz={22} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {cardNumber}
        </Text>
        <Copy value={cardNumber} />
      </Group>
      <Text size="xs" c="dimmed">
        Redeemed once, <Time at={registeredAt} />.
      </Text>
    </Alert>
  );
}
