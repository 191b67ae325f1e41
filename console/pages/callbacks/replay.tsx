import { Alert, Button, SegmentedControl, SimpleGrid, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { Input } from '../../api/operations.ts';
import { useSend } from '../../api/use-api.ts';
import { BusyButton } from '../../parts/buttons.tsx';
import { DateTimeInput, dateProblems } from '../../parts/date-time.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { count, localTime } from '../../parts/figures.tsx';
import { Form } from '../../parts/form.tsx';
import { Failure } from '../../parts/response.tsx';
import { replaySentence, restOf } from './labels.ts';

type Body = NonNullable<Input<'POST /callbacks/replay'>['body']>;

const initialValues = { status: 'failed' as 'failed' | 'skipped', since: '', until: '' };

/** Replays the selected callbacks, or opens a dialog that asks which ones. */
export function Replay({ selected, onDone }: { selected: readonly string[]; onDone: () => void }) {
  const sending = useSend('POST /callbacks/replay', ['GET /callbacks', 'GET /callbacks/endpoint']);
  const { data, variables, error, isPending } = sending;
  const [isOpen, { open, close }] = useDisclosure(false, { onOpen: sending.reset });
  const form = useForm({
    initialValues,
    validate: ({ since, until }) => ({
      ...(until !== '' && until <= since && { until: 'Must be later than “Not before”' }),
      ...dateProblems({ since, until }),
    }),
  });
  const { getInputProps: input } = form;

  function done() {
    close();
    onDone();
  }

  const replay = (body: Body) => sending.mutate({ body }, { onSuccess: done });

  function replayChosen({ status, ...range }: typeof initialValues) {
    const within = Object.entries(range).filter(([, at]) => at !== '');
    const times = within.map(([name, at]) => [name, new Date(at).toISOString()]);
    replay({ status, ...Object.fromEntries(times) });
  }

  const many = selected.length;
  return (
    <>
      <BusyButton
        variant="default"
        busy={isPending}
        onClick={many > 0 ? () => replay({ messageIds: [...selected] }) : open}
      >
        {many > 0 ? `Replay ${count(many)} selected` : 'Replay …'}
      </BusyButton>
      <Dialog opened={isOpen} onClose={close} title="Replay callbacks">
        <Form
          form={form}
          sending={sending}
          failed="Nothing was replayed"
          button="Replay"
          onSubmit={replayChosen}
        >
          <Text>
            Sends the callbacks of a status again. To replay some of them only, close this and select them in
            the list.
          </Text>
          <SegmentedControl aria-label="Status to replay" data={['failed', 'skipped']} {...input('status')} />
          <Text>
            Times are those of this computer, where it is {localTime(new Date(), {})}. Leave both empty to
            replay all.
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <DateTimeInput label="Not before" {...input('since')} />
            <DateTimeInput label="Before" {...input('until')} />
          </SimpleGrid>
        </Form>
      </Dialog>
      {!isOpen && <Failure error={error} title="Nothing was replayed" />}
      {data && (
        <Alert role="status" w="100%" color={data.replayed === 0 ? 'yellow' : 'green'}>
          {replaySentence(data)}
          {data.more && variables && (
            <Button
              size="xs"
              mt="xs"
              display="block"
              onClick={() => replay(restOf(variables.body ?? {}, data))}
            >
              Replay the rest
            </Button>
          )}
        </Alert>
      )}
    </>
  );
}
