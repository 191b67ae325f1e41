import { SimpleGrid, Stack } from '@mantine/core';
import { settings } from '../../api/settings.ts';
import { CheckInForm, PlacePicker, usePlaceChoice } from '../../parts/check-ins.tsx';
import { Card, NextStep, Page } from '../../parts/page.tsx';
import { useSession } from '../../session/session.tsx';
import { CashDesk } from './cash-desk.tsx';

export default function CheckIns() {
  const { may } = useSession();
  const choice = usePlaceChoice();
  const { placeId } = choice;
  const mayRedeem = may('cash-desk');
  return (
    <Page title="Check-ins">
      <PlacePicker {...choice} />
      {placeId === '' ? (
        <NextStep title="Where is the cash desk?">
          Choose your service point. The check-ins of its customers then appear here by themselves.
        </NextStep>
      ) : (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Stack>
            <CashDesk key={placeId} placeId={placeId} mayRedeem={mayRedeem} />
          </Stack>
          {settings.wallet === 'simulated' && mayRedeem && (
            <Card title="Check in as a customer (the wallet is simulated)">
              <CheckInForm key={placeId} placeId={placeId} />
            </Card>
          )}
        </SimpleGrid>
      )}
    </Page>
  );
}
