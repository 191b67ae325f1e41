import { Button, Group, Modal, Stack } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import { Facts } from '../../parts/rows.tsx';

interface Props {
  readonly checkIn: Answer<'GET /partner/api/place/{placeId}/checkins'>[number] | undefined;
  readonly checkedIn: string;
  readonly opened: boolean;
  readonly close: () => void;
  readonly onClosed: () => void;
  readonly redeem: () => void;
}

/** Asks once before a check-in is redeemed, since nobody can undo it. */
export function RedeemDialog({ checkIn, checkedIn, opened, close, onClosed, redeem }: Props) {
  const { cardNumber, secretCode, checkinNumber } = checkIn ?? {};
  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      title="Redeem this check-in?"
      centered
    >
      <Stack>
        <Facts
          facts={{ Card: cardNumber, Code: secretCode, 'Check-in': checkinNumber, 'Checked in': checkedIn }}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          {/* The Enter that was pressed in the field of the code, and is still held down, does not redeem. */}
          <Button
            data-autofocus
            onClick={redeem}
            onKeyDown={(event) => event.repeat && event.preventDefault()}
          >
            Redeem
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
