import { SimpleGrid, Stack, Text } from '@mantine/core';
import { CheckInForm, PlacePicker, usePlaceChoice } from '../../parts/check-ins.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { SandboxPhone } from '../../parts/phone.tsx';
import { Facts } from '../../parts/rows.tsx';
import { useSession } from '../../session/session.tsx';
import { behaviors } from './behaviors.ts';

export default function Phone() {
  const { may } = useSession();
  const choice = usePlaceChoice();
  return (
    <Page title="Phone">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
        <SandboxPhone />
        <Stack>
          {may() && (
            <Card title="Check in at a service point">
              <Stack gap="sm">
                <PlacePicker {...choice} />
                <CheckInForm key={choice.placeId} placeId={choice.placeId} />
              </Stack>
            </Card>
          )}
          <Card title="Numbers with a fixed behaviour">
            <Text mb="xs">
              A message reaches a number that is registered or has a phone here. The number shows it within
              seconds and opens it soon after, but a phone here waits for your tap. These numbers are
              different, registered or with a phone here:
            </Text>
            <Facts facts={behaviors} />
          </Card>
        </Stack>
      </SimpleGrid>
    </Page>
  );
}
