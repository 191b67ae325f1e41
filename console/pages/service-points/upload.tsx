import { Alert, Button, Checkbox, FileButton, Group, Paper, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { seldom, useApi, useSend } from '../../api/use-api.ts';
import type { Place } from '../../api/use-places.ts';
import { BusyButton } from '../../parts/busy-button.tsx';
import { count } from '../../parts/count.ts';
import { Card } from '../../parts/page.tsx';
import { Failure } from '../../parts/response.tsx';
import { newestOf } from './points.ts';
import { csvColumns, type List, readFile } from './read-list.ts';
import { isFinished, removalsToConfirm, SessionOutcome, useSyncSession } from './session-outcome.tsx';

type Chosen = { name: string; encoding: string; problem?: string; list?: List };

export function Upload({ places }: { places: readonly Place[] }) {
  const [{ name, encoding, problem, list }, setChosen] = useState<Chosen>({ name: '', encoding: '' });
  const { unknownColumns = [] } = list ?? {};
  const [confirmRemovals, setConfirmRemovals] = useState(false);
  const preview = useSend('POST /places/sync');
  const send = useSend('POST /places/sync', ['GET /places/sync']);
  const previewed = useSyncSession(preview.data?.sessionId);
  const sent = useSyncSession(send.data?.sessionId);
  const newest = newestOf(useApi('GET /places/sync', {}, seldom).data?.sessions);
  const known = useRef<string>(undefined);
  const isPreviewed = isFinished(previewed.data);
  const isSentFinished = isFinished(sent.data);
  const queries = useQueryClient();
  const resetInput = useRef<() => void>(null);
  /** A file on a slow disk may arrive after one that was chosen later. */
  const latest = useRef<File>(null);
  const waitsId = useId();

  useEffect(() => {
    if (isPreviewed || isSentFinished) queries.invalidateQueries({ queryKey: ['GET /places/sync'] });
  }, [queries, isPreviewed, isSentFinished]);

  // Another list has changed the stored points: what was previewed, and what the user has confirmed, may not hold any more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list
  useEffect(() => {
    const before = known.current;
    // Dry runs displace older lists.
    if (newest === undefined || newest === before || (newest === 'none' && before)) return;
    known.current = newest;
    if (before && list && !send.data && !send.isPending) check(list);
  }, [newest]);

  async function choose(file: File | null | undefined) {
    if (!file) return;
    latest.current = file;
    // Otherwise the browser would ignore the same file when it is chosen again, corrected.
    resetInput.current?.();
    preview.reset();
    send.reset();
    const bytes = await file.arrayBuffer().catch(() => undefined);
    if (latest.current !== file) return;
    const { name } = file;
    if (!bytes) return setChosen({ name, encoding: '', problem: 'it cannot be read. Choose it again.' });
    const { encoding, read } = readFile(new Uint8Array(bytes));
    const chosen = { name, encoding };
    if ('problem' in read) return setChosen({ ...chosen, ...read });
    setChosen({ ...chosen, list: read });
    check(read);
  }

  function check({ places }: List) {
    setConfirmRemovals(false);
    preview.mutate({ body: { places: [...places], dryRun: true } });
  }

  const toConfirm = isFinished(previewed.data) ? removalsToConfirm(previewed.data) : 0;
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
            <FileButton onChange={choose} resetRef={resetInput} {...input}>
              {(props) => (
                <Button {...props} miw="max-content">
                  Choose a file
                </Button>
              )}
            </FileButton>
            <Text>or drop it here. The list is checked first, and nothing changes until you send it.</Text>
          </Group>
          <Text size="xs" c="dimmed" mt="xs">
            The file is JSON in the format of the API, or CSV with the columns {csvColumns.join(', ')}. It
            must name all service points of the offer: those that it does not name are removed. Save a
            workbook (.xlsx) as CSV first.
          </Text>
        </Paper>
        {problem && (
          <Alert color="red" role="alert">
            {name}: {problem}
          </Alert>
        )}
        {list && (
          <>
            <Text role="status">
              {name}: {count(list.places.length, 'service point')}
              {encoding !== 'UTF-8' && `, read as ${encoding} because the file is not UTF-8`}
              {preview.isPending && ', being checked …'}
              {send.isPending && ', being sent …'}
            </Text>
            {unknownColumns.length > 0 && (
              <Alert color="yellow" role="alert">
                These columns are unknown and are not read: {unknownColumns.join(', ')}. The known ones are{' '}
                {csvColumns.join(', ')}.
              </Alert>
            )}
            <Failure error={preview.error} title="The list could not be checked" retry={() => check(list)} />
            <Failure error={send.error} title="The list was not accepted" />
          </>
        )}
        {list && preview.data && !send.data && (
          <>
            <SessionOutcome
              title="Preview: nothing has changed yet"
              query={previewed}
              places={places}
              list={list}
            />
            {toConfirm > 0 && (
              <Checkbox
                label={`Remove the ${count(toConfirm, 'service point')} that the list does not name`}
                checked={confirmRemovals}
                onChange={(event) => setConfirmRemovals(event.currentTarget.checked)}
              />
            )}
            <Group>
              <BusyButton
                disabled={!isPreviewed}
                aria-describedby={isPreviewed ? undefined : waitsId}
                busy={send.isPending}
                onClick={() =>
                  send.mutate({
                    body: { places: [...list.places], ...(confirmRemovals && { confirmRemovals }) },
                  })
                }
              >
                Send the list
              </BusyButton>
              {!isPreviewed && <Text id={waitsId}>Wait for the preview of what it would change.</Text>}
            </Group>
          </>
        )}
        {list && send.data && (
          <SessionOutcome title="The list you sent" query={sent} places={places} list={list} />
        )}
      </Stack>
    </Card>
  );
}
