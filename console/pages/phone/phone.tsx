import { SimpleGrid, Stack, Text } from '@mantine/core';
import { CheckInForm, PlacePicker, usePlaceChoice } from '../../parts/check-ins.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { SandboxPhone } from '../../parts/phone.tsx';
import { Facts } from '../../parts/rows.tsx';
import { useSession } from '../../session/session.tsx';

const fates = {
  '79999990001': 'is never registered',
  '79999990002': 'never shows a message',
  '79999990003': 'shows it, and nobody opens it',
  '79999990004': 'reports everything twice',
  '79999990005': 'reports that it was opened before it reports that it was shown',
  '79999990006': 'shows it after 2 minutes',
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
          <Card title="Numbers with a fate">
            <Text mb="xs">
              On a simulated wallet these numbers behave in a way of their own, with a phone or without:
            </Text>
            <Facts facts={fates} />
          </Card>
        </Stack>
      </SimpleGrid>
    </Page>
  );
}
