import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ResponseTo } from '../../api/operations.ts';
import { Facts } from '../../parts/rows.tsx';

type Props = {
  checkIn: ResponseTo<'GET /partner/api/place/{placeId}/checkins'>[number] | undefined;
  opened: boolean;
  close: () => void;
  redeem: () => void;
};

/** Asks before a check-in is redeemed, because that cannot be undone. */
export function RedeemDialog({ checkIn, opened, close, redeem }: Props) {
  const { cardNumber, secretCode, checkinNumber } = checkIn ?? {};
  return (
    <Modal opened={opened} onClose={close} title="Redeem this check-in?" centered>
      <Stack>
        <Text>Enter this card at the cash desk first, so that it gets the points of the purchase.</Text>
        <Facts facts={{ Card: cardNumber, Code: secretCode, 'Check-in': checkinNumber }} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          {/* If Enter is still held down on the button that opened this, its repetitions must not redeem. */}
          <Button
            data-autofocus
            onClick={redeem}
            onKeyDown={(event) => event.key === 'Enter' && event.repeat && event.preventDefault()}
          >
            Redeem
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
