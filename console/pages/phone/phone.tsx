import { SimpleGrid, Stack, Text } from '@mantine/core';
import { CheckInForm, PlacePicker, usePlaceChoice } from '../../parts/check-ins.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { SandboxPhone } from '../../parts/phone.tsx';
import { Facts } from '../../parts/rows.tsx';
import { useSession } from '../../session/session.tsx';

const behaviors = {
  '79999990001': 'It is never registered.',
  '79999990002': 'It never shows a message.',
  '79999990003': 'It shows messages, and nobody opens them.',
  '79999990004': 'It reports every state twice.',
  '79999990005': 'It reports that a message was opened before it reports that it was shown.',
  '79999990006': 'It shows messages after 2 minutes.',
  '79999990007': 'It lets every deadline pass.',
};

export default function Phone() {
  const { may, offerId } = useSession();
  const choice = usePlaceChoice();
  return (
    <Page title="Phone">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <SandboxPhone />
        <Stack>
          {may() && (
            <Card title="Check in at a service point">
              <Stack gap="sm" key={offerId}>
                <PlacePicker {...choice} />
                <CheckInForm placeId={choice.placeId} />
              </Stack>
            </Card>
          )}
          <Card title="Numbers with a fixed behaviour">
            <Text mb="xs">
              The simulated wallet always treats these numbers like this, whether they have a phone here or
              not:
            </Text>
            <Facts facts={behaviors} />
          </Card>
        </Stack>
      </SimpleGrid>
    </Page>
  );
}
