import { Button, SimpleGrid, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import type { ResponseTo } from '../../api/operations.ts';
import { seldom, useApi } from '../../api/use-api.ts';
import { Dialog, useOwnDialog } from '../../parts/dialog.tsx';
import { NextStep, Page } from '../../parts/page.tsx';
import { WithResponse } from '../../parts/response.tsx';
import { useSession } from '../../session/session.tsx';
import { AlertsPanel } from './alerts.tsx';
import { CallbackList } from './callback-list.tsx';
import { EndpointCard, TestCard } from './endpoint-card.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { ExaminationCard } from './examination.tsx';
import { Snippets } from './snippets.tsx';
import { targetOf } from './test-outcome.tsx';

const tabs = { list: 'Callbacks', endpoint: 'Endpoint', alerts: 'Alerts', verify: 'Verify' };

/** The address names the tab that is open: `?tab=endpoint`. */
export default function Callbacks() {
  const mayChange = useSession().may();
  const endpoint = useApi('GET /callbacks/endpoint', {}, seldom);
  const [search, setSearch] = useSearchParams();
  const [isEditing, { open, close }] = useOwnDialog();
  const notSet = (
    <NextStep title="No endpoint is set">
      Messages are sent, but their states are not reported to you. Set an address that accepts POST requests
      and send a test to it, or choose to read them from a feed.
      {mayChange && (
        <Button mt="md" display="block" onClick={open}>
          Set the endpoint
        </Button>
      )}
    </NextStep>
  );
  const withEndpoint = (shown: (data: ResponseTo<'GET /callbacks/endpoint'>) => ReactNode) => (
    <WithResponse query={endpoint} instead={{ ENDPOINT_NOT_SET: notSet }}>
      {shown}
    </WithResponse>
  );
  // A feed has no receiver to try.
  const mayTry = ({ mode }: { mode: string }) => mayChange && mode === 'post';
  const asked = search.get('tab') ?? '';
  const choose = (chosen: string | null) => setSearch(chosen === 'list' || !chosen ? {} : { tab: chosen });
  return (
    <Page title="Callbacks">
      <Tabs value={Object.hasOwn(tabs, asked) ? asked : 'list'} onChange={choose} keepMounted={false}>
        <Tabs.List mb="md">
          {Object.entries(tabs).map(([name, label]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="list">
          {withEndpoint(({ mode, log, states }) => (
            <CallbackList log={mode === 'feed' ? 'all' : log} states={states} />
          ))}
        </Tabs.Panel>
        <Tabs.Panel value="endpoint">
          {withEndpoint((data) => (
            <>
              <SimpleGrid cols={{ base: 1, lg: mayTry(data) ? 2 : 1 }} mb="md">
                <EndpointCard endpoint={data} onEdit={open} />
                {mayTry(data) && <TestCard key={targetOf(data)} />}
              </SimpleGrid>
              {mayTry(data) && <ExaminationCard key={targetOf(data)} />}
            </>
          ))}
        </Tabs.Panel>
        <Tabs.Panel value="alerts">
          <AlertsPanel />
        </Tabs.Panel>
        <Tabs.Panel value="verify">
          <Snippets />
        </Tabs.Panel>
      </Tabs>
      <Dialog opened={isEditing} onClose={close} title="The endpoint of your callbacks">
        <EndpointForm
          endpoint={endpoint.error?.code === 'ENDPOINT_NOT_SET' ? undefined : endpoint.data}
          onClose={close}
        />
      </Dialog>
    </Page>
  );
}
