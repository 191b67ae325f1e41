import { Text } from '@mantine/core';
import { useApi } from '../../api/use-api.ts';
import { Confirmed } from '../../parts/confirmed.tsx';
import { count } from '../../parts/figures.tsx';
import { registeredOf, unopenedOf } from '../../parts/funnel.ts';
import { WithResponse } from '../../parts/response.tsx';
import { useTakenBack } from './sending.ts';

/** Takes back a send or one message of it, after asking once more. `on` names it for screen readers. */
export function TakeBack({ of, messageId, on }: { of: 'send' | 'message'; messageId: string; on: string }) {
  const takenBack = useTakenBack();
  return (
    <Confirmed
      name="Take back"
      on={on}
      title={`Take this ${of} back?`}
      color="red"
      route="POST /push/{messageId}/cancel"
      input={{ path: { messageId }, body: { of } }}
      changes={['GET /push', 'GET /push/{messageId}/report', 'GET /push/{messageId}/transactional-state']}
      onDone={() => takenBack(of, messageId)}
    >
      {of === 'send' ? (
        <Effect messageId={messageId} />
      ) : (
        'If it was not opened, it disappears from the phone. One that was not sent yet is never sent.'
      )}
    </Confirmed>
  );
}

/** Reads the report again, because the one on the page may be hours old. */
function Effect({ messageId }: { messageId: string }) {
  const report = useApi(
    'GET /push/{messageId}/report',
    { path: { messageId } },
    { refetchOnMount: 'always' },
  );
  return (
    <WithResponse query={report}>
      {(data) => {
        const registered = count(registeredOf(data));
        return (
          <Text>
            {data.scheduled > 0
              ? `It was not sent yet: none of its ${registered} registered recipients gets it.`
              : `${count(unopenedOf(data))} of ${registered} have not opened it; they disappear from phones.`}{' '}
            This cannot be undone, and gives nothing of the rate back.
          </Text>
        );
      }}
    </WithResponse>
  );
}
