import { Alert, Button, Checkbox, FileButton, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSend } from '../../api/use-api.ts';
import { Card } from '../../parts/card.tsx';
import { Failure } from '../../parts/failure.tsx';
import { csvColumns, readList } from './read-list.ts';
import { SessionOutcome } from './session-outcome.tsx';

interface Chosen {
  readonly name: string;
  readonly places: unknown[];
}

/** A file becomes a dry run, and, when that looks right, the list of the offer. */
export function Upload() {
  const [chosen, setChosen] = useState<Chosen>();
  const [problem, setProblem] = useState<string>();
  const [confirmRemovals, setConfirmRemovals] = useState(false);
  const [held, setHeld] = useState(0);
  const preview = useSend('POST /places/sync');
  const send = useSend('POST /places/sync', ['GET /places/sync']);

  async function choose(file: File | null) {
    if (!file) return;
    preview.reset();
    send.reset();
    setConfirmRemovals(false);
    setHeld(0);
    const list = readList(await file.text());
    setProblem('problem' in list ? `${file.name}: ${list.problem}` : undefined);
    setChosen('places' in list ? { name: file.name, places: list.places } : undefined);
    if ('places' in list) preview.mutate({ body: { places: list.places, dryRun: true } });
  }

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
            choose(event.dataTransfer.files[0] ?? null);
          }}
        >
          <Group wrap="nowrap">
            <FileButton
              onChange={choose}
              accept=".json,.csv,.txt"
              inputProps={{ 'aria-label': 'Choose a file' }}
            >
              {(props) => (
                <Button {...props} style={{ flexShrink: 0 }}>
                  Choose a file
                </Button>
              )}
            </FileButton>
            <Text size="sm">or drop it here. It is checked first: nothing changes before you send it.</Text>
          </Group>
          <Text size="xs" c="dimmed" mt="xs">
            JSON as the API takes it, or CSV with the columns {csvColumns.join(', ')}. The list is the whole
            offer: points that it does not name are removed.
          </Text>
        </Paper>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Failure error={preview.error ?? send.error} title="The list was not taken" />
        {chosen && (
          <Text size="sm" role="status">
            {chosen.name}: {chosen.places.length.toLocaleString('en-GB')} service points
            {preview.isPending && ', sending them for the preview …'}
            {send.isPending && ', sending them …'}
          </Text>
        )}
        {preview.data && !send.data && (
          <SessionOutcome
            title="Preview: nothing is changed yet"
            sessionId={preview.data.sessionId}
            onFinished={({ counts }) => setHeld(counts.removalsHeld ?? 0)}
          />
        )}
        {held > 0 && !send.data && (
          <Checkbox
            label={`Remove the ${held.toLocaleString('en-GB')} points that the list does not name`}
            checked={confirmRemovals}
            onChange={(event) => setConfirmRemovals(event.currentTarget.checked)}
          />
        )}
        {chosen && preview.data && !send.data && (
          <Group>
            <Button
              loading={send.isPending}
              onClick={() =>
                send.mutate({
                  body: { places: chosen.places, ...(confirmRemovals ? { confirmRemovals } : {}) },
                })
              }
            >
              Send the list
            </Button>
          </Group>
        )}
        {send.data && <SessionOutcome title="The list" sessionId={send.data.sessionId} changesPlaces />}
      </Stack>
    </Card>
  );
}
