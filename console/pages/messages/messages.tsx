import { Alert, Box, Grid, Stack } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { settings } from '../../api/settings.ts';
import { Card, Page } from '../../parts/page.tsx';
import { Notification, SandboxPhone } from '../../parts/phone.tsx';
import { useSession, useSessionState } from '../../session/session.tsx';
import { Compose } from './compose.tsx';
import { emptyDraft } from './draft.ts';
import { Follow } from './follow.tsx';
import { SendList } from './send-list.tsx';
import { followId, SentList } from './sent.tsx';

export default function Messages() {
  const { key, may } = useSession();
  const [draft, setDraft] = useSessionState('draft', emptyDraft);
  const [search, setSearch] = useSearchParams();
  const messageId = search.get('id') ?? '';
  const follow = (id: string) => setSearch(id === '' ? {} : { id });
  const { title, message, image, pushType } = draft;
  const maySend = may('messages');
  return (
    <Page title="Messages">
      {!maySend && (
        <Alert color="blue">A key of an observer sends nothing: it may follow what was sent.</Alert>
      )}
      <SendList />
      {maySend && (
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, lg: 8 }}>
            <Compose
              follow={follow}
              draft={draft}
              change={(part) => setDraft((before) => ({ ...before, ...part }))}
            />
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <Stack>
              <Card title="Preview">
                <Notification
                  sender={key.partnerId}
                  when="now"
                  title={title || 'Title'}
                  message={message || 'The message, as a phone shows it'}
                  image={pushType === 'PROMO' ? image : ''}
                />
              </Card>
              {settings.wallet === 'simulated' && <SandboxPhone />}
            </Stack>
          </Grid.Col>
        </Grid>
      )}
      {maySend && <SentList />}
      <Box id={followId} style={{ scrollMarginTop: 72 }}>
        <Follow messageId={messageId} follow={follow} />
      </Box>
    </Page>
  );
}
