import { Alert, Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useSend } from '../../api/use-api.ts';
import { useSession } from '../../session/session.tsx';
import { Failure } from '../failure.tsx';
import { Time } from '../time.tsx';

/** Checks a card in as a card holder of the simulated wallet platform would. */
export function CheckInForm({ placeId }: { readonly placeId: string }) {
  const { offerId = '' } = useSession();
  const [cardNumber, setCardNumber] = useState('9643907500000012');
  const { mutate, data, error, isPending } = useSend('POST /sandbox/check-ins', [
    'GET /partner/api/place/{placeId}/checkins',
  ]);
  function checkIn(event: FormEvent) {
    event.preventDefault();
    mutate({ body: { offerId, placeId, cardNumber: cardNumber.trim() } });
  }
  return (
    <form onSubmit={checkIn}>
      <Group align="flex-end" gap="xs" wrap="nowrap" mb="xs">
        <TextInput
          label="Loyalty card"
          flex={1}
          required
          withAsterisk={false}
          maxLength={128}
          value={cardNumber}
          onChange={(event) => setCardNumber(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={isPending} disabled={placeId === ''}>
          Check in
        </Button>
      </Group>
      <Failure error={error} title="The card is not checked in" />
      {data && (
        <Alert color="blue" role="status" title={`Code ${data.secretCode}`}>
          The customer names it at the cash desk, until <Time at={data.expiresAt} />.
        </Alert>
      )}
    </form>
  );
}
