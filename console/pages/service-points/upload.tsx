import { Alert, Button, Checkbox, FileButton, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSend } from '../../api/use-api.ts';
import { Failure } from '../../parts/answered.tsx';
import { count } from '../../parts/count.ts';
import { Card } from '../../parts/page.tsx';
import { csvColumns, readList } from './read-list.ts';
import { SessionOutcome } from './session-outcome.tsx';

const nothing = { name: '', places: [] as unknown[], problem: '' };

export function Upload() {
  const [{ name, places, problem }, setChosen] = useState(nothing);
  const [confirmRemovals, setConfirmRemovals] = useState(false);
  const [held, setHeld] = useState(0);
  const preview = useSend('POST /places/sync');
  const send = useSend('POST /places/sync', ['GET /places/sync']);

  async function choose(file: File | null | undefined) {
    if (!file) return;
    preview.reset();
    send.reset();
    setConfirmRemovals(false);
    setHeld(0);
    const list = readList(await file.text());
    setChosen({ ...nothing, name: file.name, ...list });
    if ('places' in list) preview.mutate({ body: { places: list.places, dryRun: true } });
  }

  const input = { accept: '.json,.csv,.txt', inputProps: { 'aria-label': 'Choose a file' } };
  return (
    <Card title="Upload a list">
      <Stack gap="sm">
        <Paper
          withBorder
          p="md"
          style={{ borderStyle: 'dashed' }}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            choose(event.dataTransfer.files[0]);
          }}
        >
          <Group wrap="nowrap">
            <FileButton onChange={choose} {...input}>
              {(props) => (
                <Button {...props} miw="max-content">
                  Choose a file
                </Button>
              )}
            </FileButton>
            <Text>or drop it here. It is checked first: nothing changes before you send it.</Text>
          </Group>
          <Text size="xs" c="dimmed" mt="xs">
            JSON as the API takes it, or CSV with the columns {csvColumns.join(', ')}. The list is the whole
            offer: points that it does not name are removed.
          </Text>
        </Paper>
        {problem && (
          <Alert color="red" role="alert">
            {name}: {problem}
          </Alert>
        )}
        <Failure error={preview.error ?? send.error} title="The list was not taken" />
        {places.length > 0 && (
          <Text role="status">
            {name}: {count(places.length)} service points
            {preview.isPending && ', sending them for the preview …'}
            {send.isPending && ', sending them …'}
          </Text>
        )}
        {preview.data && !send.data && (
          <>
            <SessionOutcome
              title="Preview: nothing is changed yet"
              sessionId={preview.data.sessionId}
              onFinished={({ counts }) => setHeld(counts.removalsHeld ?? 0)}
            />
            {held > 0 && (
              <Checkbox
                label={`Remove the ${count(held)} points that the list does not name`}
                checked={confirmRemovals}
                onChange={(event) => setConfirmRemovals(event.currentTarget.checked)}
              />
            )}
            <Group>
              <Button
                loading={send.isPending}
                onClick={() => send.mutate({ body: { places, ...(confirmRemovals && { confirmRemovals }) } })}
              >
                Send the list
              </Button>
            </Group>
          </>
        )}
        {send.data && <SessionOutcome title="The list" sessionId={send.data.sessionId} />}
      </Stack>
    </Card>
  );
}
