import { SimpleGrid, Stack } from '@mantine/core';
import { settings } from '../../api/settings.ts';
import { CheckInForm, PlacePicker, usePlaceChoice } from '../../parts/check-ins.tsx';
import { Card, NextStep, Page } from '../../parts/page.tsx';
import { useSession } from '../../session/session.tsx';
import { Till } from './till.tsx';

export default function CheckIns() {
  const { may, offerId } = useSession();
  const choice = usePlaceChoice();
  const { placeId } = choice;
  const mayRedeem = may('cash-desk');
  return (
    <Page title="Check-ins">
      <PlacePicker key={offerId} {...choice} />
      {placeId === '' ? (
        <NextStep title="Where is the till?">
          Choose the service point: the check-ins of its customers appear here by themselves.
        </NextStep>
      ) : (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Stack>
            <Till key={`${offerId} ${placeId}`} placeId={placeId} mayRedeem={mayRedeem} />
          </Stack>
          {settings.wallet === 'simulated' && mayRedeem && (
            <Card title="Be the customer: the wallet is simulated">
              <CheckInForm placeId={placeId} />
            </Card>
          )}
        </SimpleGrid>
      )}
    </Page>
  );
}
