import { Button, Modal, SimpleGrid } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { seldom, useApi } from '../../api/use-api.ts';
import { Answered } from '../../parts/answered.tsx';
import { Notices } from '../../parts/endpoint.tsx';
import { NextStep, Page } from '../../parts/page.tsx';
import { SecretOnce } from '../../parts/secret.tsx';
import { useSession } from '../../session/session.tsx';
import { CallbackList } from './callback-list.tsx';
import { EndpointCard, TestCard } from './endpoint-card.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { Snippets } from './snippets.tsx';

export default function Callbacks() {
  const mayChange = useSession().may();
  const endpoint = useApi('GET /callbacks/endpoint', {}, seldom);
  const [isEditing, { open, close }] = useDisclosure();
  const [secret, setSecret] = useState<string | null>();
  const notSet = (
    <NextStep title="No endpoint is set">
      Messages that ask for callbacks are sent, but nobody hears of their states. Set an address that takes
      POST requests, and send a test to it.
      {mayChange && (
        <Button mt="md" display="block" onClick={open}>
          Set the endpoint
        </Button>
      )}
    </NextStep>
  );
  return (
    <Page title="Callbacks">
      <Answered query={endpoint} instead={{ ENDPOINT_NOT_SET: notSet }}>
        {(data) => (
          <>
            <SimpleGrid cols={{ base: 1, lg: mayChange ? 2 : 1 }}>
              <EndpointCard endpoint={data} onEdit={open} onSecret={setSecret} />
              {mayChange && <TestCard />}
            </SimpleGrid>
            <CallbackList log={data.log} />
            <Notices notices={data.notices} />
          </>
        )}
      </Answered>
      <Snippets />
      <Modal opened={isEditing} onClose={close} title="The endpoint of your callbacks">
        <EndpointForm
          endpoint={endpoint.error?.code === 'ENDPOINT_NOT_SET' ? undefined : endpoint.data}
          onSaved={(answer) => {
            close();
            setSecret(answer.secret);
          }}
        />
      </Modal>
      <SecretOnce title="The signing secret" secret={secret} onStored={() => setSecret(undefined)}>
        Your endpoint verifies the signature of every callback with it: below are programs that do.
      </SecretOnce>
    </Page>
  );
}
