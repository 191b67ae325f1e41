import { Alert, Button, Checkbox, FileButton, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import type { ApiError } from '../../api/api-error.ts';
import type { ResponseTo } from '../../api/operations.ts';
import { seldom, useApi, useSend } from '../../api/use-api.ts';
import type { Place } from '../../api/use-places.ts';
import { BusyButton } from '../../parts/buttons.tsx';
import { count } from '../../parts/figures.tsx';
import { Card } from '../../parts/page.tsx';
import { Failure } from '../../parts/response.tsx';
import { useSession } from '../../session/session.tsx';
import { newestOf } from './points.ts';
import { csvColumns, readFile } from './read-list.ts';
import { isFinished, removalsToConfirm, SessionOutcome, useSyncSession } from './session-outcome.tsx';

export function Upload({ places }: { places: readonly Place[] }) {
  const { call, offerId } = useSession();
  // The later of two files is shown, though the first may be on a slow disk and arrive after it.
  const reading = useMutation({
    mutationFn: async (file: File) => readFile(new Uint8Array(await file.arrayBuffer())),
  });
  const { encoding, read = { problem: undefined } } = reading.data ?? {};
  const list = 'places' in read ? read : undefined;
  const problem = reading.isError ? 'it cannot be read. Choose it again.' : 'problem' in read && read.problem;
  const unknownColumns = list?.unknownColumns ?? [];
  const send = useSend('POST /places/sync', ['GET /places/sync']);
  const lists = useApi('GET /places/sync', {}, seldom);
  const preview = useQuery<ResponseTo<'POST /places/sync'>, ApiError>({
    // Another list changes the stored points: what was previewed, and what the user has confirmed, may not hold any more.
    queryKey: ['preview', offerId, reading.submittedAt, newestOf(lists.data?.sessions)],
    enabled: list !== undefined && lists.isFetched && !send.isPending && !send.data,
    queryFn: ({ signal }) =>
      call('POST /places/sync', { body: { places: [...(list?.places ?? [])], dryRun: true } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [confirmedOf, confirmRemovalsOf] = useState<string>();
  const confirmRemovals = confirmedOf !== undefined && confirmedOf === preview.data?.sessionId;
  const previewed = useSyncSession(preview.data?.sessionId);
  const sent = useSyncSession(send.data?.sessionId);
  const isPreviewed = isFinished(previewed.data);
  const isSentFinished = isFinished(sent.data);
  const queries = useQueryClient();
  const resetInput = useRef<() => void>(null);
  const waitsId = useId();

  useEffect(() => {
    if (isPreviewed || isSentFinished) queries.invalidateQueries({ queryKey: ['GET /places/sync'] });
  }, [queries, isPreviewed, isSentFinished]);

  function choose(file: File | null | undefined) {
    if (!file) return;
    // Otherwise the browser would ignore the same file when it is chosen again, corrected.
    resetInput.current?.();
    send.reset();
    reading.mutate(file);
  }

  const points = { places, list };
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
            {reading.variables?.name}: {problem}
          </Alert>
        )}
        {list && (
          <>
            <Text role="status">
              {reading.variables?.name}: {count(list.places.length, 'service point')}
              {encoding !== 'UTF-8' && `, read as ${encoding} because the file is not UTF-8`}
              {preview.isFetching && ', being checked …'}
              {send.isPending && ', being sent …'}
            </Text>
            {unknownColumns.length > 0 && (
              <Alert color="yellow" role="alert">
                These columns are unknown and are not read: {unknownColumns.join(', ')}. The known ones are{' '}
                {csvColumns.join(', ')}.
              </Alert>
            )}
            <Failure error={preview.error} title="The list could not be checked" retry={preview.refetch} />
            <Failure error={send.error} title="The list was not accepted" />
          </>
        )}
        {list && preview.data && !send.data && (
          <>
            <SessionOutcome
              {...points}
              title="Preview: nothing has changed yet"
              sessionId={preview.data.sessionId}
            />
            {toConfirm > 0 && (
              <Checkbox
                label={`Remove the ${count(toConfirm, 'service point')} that the list does not name`}
                checked={confirmRemovals}
                onChange={({ currentTarget: { checked } }) =>
                  confirmRemovalsOf(checked ? preview.data.sessionId : undefined)
                }
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
          <>
            <SessionOutcome {...points} title="The list you sent" sessionId={send.data.sessionId} />
            {isFinished(sent.data) && removalsToConfirm(sent.data) > 0 && (
              <Button variant="default" w="fit-content" onClick={send.reset}>
                Check the list again, to confirm its removals
              </Button>
            )}
          </>
        )}
      </Stack>
    </Card>
  );
}
