import { Alert, Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { seldom, useApi } from '../../api/use-api.ts';
import { Card, Page } from '../../parts/page.tsx';
import { WithResponse } from '../../parts/response.tsx';
import { Facts } from '../../parts/rows.tsx';
import { useOwnDialog } from '../../session/own-dialog.ts';
import { useSession } from '../../session/session.tsx';
import { KeyForm } from './key-form.tsx';
import { KeyList } from './key-list.tsx';
import { roles } from './roles.ts';

export default function Keys() {
  const mayChange = useSession().may();
  const keys = useApi('GET /keys', {}, seldom);
  const [isCreating, { open, close }] = useOwnDialog();
  const [ended, setEnded] = useState<string>();
  const closable = { withCloseButton: true, closeButtonLabel: 'Close', onClose: () => setEnded(undefined) };
  return (
    <Page title="Keys" actions={mayChange && <Button onClick={open}>Create a key</Button>}>
      {ended && (
        <Alert role="status" color="blue" {...closable}>
          {ended}
        </Alert>
      )}
      <Card title="Keys of your account">
        <WithResponse query={keys}>{(data) => <KeyList keys={data.keys} onEnded={setEnded} />}</WithResponse>
      </Card>
      <Card title="What a role may do">
        <Facts facts={roles} />
      </Card>
      {/* The dialog drops its content when it closes, so the form is empty each time it opens. */}
      <Modal opened={isCreating} onClose={close} title="Create a key" size="lg">
        <KeyForm onClose={close} />
      </Modal>
    </Page>
  );
}
