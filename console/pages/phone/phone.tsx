import { List, SimpleGrid, Stack, Text } from '@mantine/core';
import { Card } from '../../parts/card.tsx';
import { CheckInForm } from '../../parts/check-ins/check-in-form.tsx';
import { PlacePicker, usePlaceChoice } from '../../parts/check-ins/place-picker.tsx';
import { Page } from '../../parts/page.tsx';
import { SandboxPhone } from '../../parts/phone/sandbox-phone.tsx';
import { useSession } from '../../session/session.tsx';

const fates = [
  ['79999990001', 'is never registered'],
  ['79999990002', 'never shows a message'],
  ['79999990003', 'shows it, and nobody opens it'],
  ['79999990004', 'reports everything twice'],
  ['79999990005', 'reports that it was opened before it reports that it was shown'],
  ['79999990006', 'shows it after 2 minutes'],
] as const;

/** What a customer with the app has in the hand. */
export default function Phone() {
  const { key, offerId } = useSession();
  return (
    <Page title="Phone">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <SandboxPhone />
        <Stack>
          {key.role === 'full' && <CheckIn key={offerId} />}
          <Card title="Numbers with a fate">
            <Text size="sm" mb="xs">
              On a simulated wallet these numbers behave in a way of their own, with a phone or without:
            </Text>
            <List size="sm">
              {fates.map(([number, fate]) => (
                <List.Item key={number}>
                  {number} {fate}
                </List.Item>
              ))}
            </List>
          </Card>
        </Stack>
      </SimpleGrid>
    </Page>
  );
}

function CheckIn() {
  const choice = usePlaceChoice();
  return (
    <Card title="Check in at a service point">
      <Stack gap="sm">
        <PlacePicker {...choice} />
        <CheckInForm placeId={choice.placeId} />
      </Stack>
    </Card>
  );
}
