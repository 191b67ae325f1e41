import { Alert, Anchor, List, Progress, SimpleGrid, Text } from '@mantine/core';
import { Link } from 'wouter';
import { seldom, useApi } from '../../api/use-api.ts';
import { endpointFacts } from '../../parts/endpoint.tsx';
import { EventRows } from '../../parts/events.tsx';
import { count } from '../../parts/figures.tsx';
import { ListLine } from '../../parts/list-line.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { WithResponse } from '../../parts/response.tsx';
import { Facts } from '../../parts/rows.tsx';
import { useSession } from '../../session/session.tsx';
import { CallbackFlow } from './callback-flow.tsx';
import { SendsOfWeek } from './sends-of-week.tsx';

export default function Overview() {
  const { key, may, offerId } = useSession();
  const seesAccount = !key.limited && may('observer');
  const seesPlaces = may('observer', 'catalog') && offerId !== undefined;
  const endpoint = useApi('GET /callbacks/endpoint', {}, { enabled: seesAccount, ...seldom });
  const events = useApi('GET /events', { query: { limit: 10 } }, { enabled: seesAccount, ...seldom });
  const sessions = useApi('GET /places/sync', {}, { enabled: seesPlaces, ...seldom });
  const lists = sessions.data?.sessions.filter(({ dryRun }) => !dryRun);
  const hasNoLists = lists?.length === 0;
  const stored = useApi('GET /places', { query: { limit: 1 } }, { enabled: hasNoLists });
  return (
    <Page title="Overview">
      {key.offerIds.length === 0 && (
        <Alert color="yellow" title="This key may not use any offer">
          Ask the operator of the service for an offer, or whoever manages your keys for a key that may use
          one.
        </Alert>
      )}
      <FirstSteps
        hasNoPlaces={hasNoLists && stored.data?.places.length === 0}
        hasNoEndpoint={endpoint.error?.code === 'ENDPOINT_NOT_SET'}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {!key.limited && may('messages', 'observer') && (
          <Card title="Sends of the last 7 days" more="/messages">
            <SendsOfWeek />
          </Card>
        )}
        {seesAccount && (
          <Card title="Callbacks" more="/callbacks">
            <WithResponse query={endpoint} instead={{ ENDPOINT_NOT_SET: <CallbackFlow /> }}>
              {(data) => (
                <>
                  <CallbackFlow endpoint={data} />
                  <Facts facts={endpointFacts(data)} />
                </>
              )}
            </WithResponse>
          </Card>
        )}
        {seesPlaces && (
          <Card title="Service points" more="/service-points">
            <WithResponse query={sessions}>
              {() =>
                lists?.[0] ? (
                  <ListLine of={lists[0]} />
                ) : (
                  <Text>No list was sent for {offerId} lately, dry runs apart.</Text>
                )
              }
            </WithResponse>
          </Card>
        )}
        <KeyCard />
      </SimpleGrid>
      {seesAccount && (
        <Card title="Newest events" more="/events">
          <WithResponse query={events}>
            {(data) => <EventRows events={data.events} empty="Nothing has happened in this account yet." />}
          </WithResponse>
        </Card>
      )}
    </Page>
  );
}

const places = ['/service-points', 'Upload your service points', ': a JSON or CSV file, checked first.'];
const endpoint = ['/callbacks', 'Set your callback endpoint', ', send a test, and verify the signature.'];
const message = ['/messages', 'Send a first message', ' and follow what becomes of it.'];

function FirstSteps({ hasNoPlaces, hasNoEndpoint }: { hasNoPlaces: boolean; hasNoEndpoint: boolean }) {
  const { may } = useSession();
  const steps = [
    ...(may('catalog') && hasNoPlaces ? [places] : []),
    ...(may() && hasNoEndpoint ? [endpoint, message] : []),
  ];
  if (steps.length === 0) return null;
  return (
    <Card title="What to do first">
      <List type="ordered" size="sm">
        {steps.map(([path = '', link, rest]) => (
          <List.Item key={path}>
            <Anchor component={Link} href={path} underline="always">
              {link}
            </Anchor>
            {rest}
          </List.Item>
        ))}
      </List>
    </Card>
  );
}

function KeyCard() {
  const { key: signedIn, may, rate } = useSession();
  // An operator may change the limits while somebody is signed in.
  const { data: key = signedIn } = useApi('GET /keys/self', {}, seldom);
  const { login, role, offerIds, placeIds, limits } = key;
  const used = rate ? rate.limit - rate.remaining : 0;
  const seesSends = !key.limited && may('messages', 'observer');
  return (
    <Card title="Key and limits">
      <Facts
        facts={{
          Login: login,
          Role: role,
          Offers: offerIds.join(', '),
          'Service points': placeIds?.join(', '),
          ...(seesSends && {
            'Recipients a request': count(limits.bulkRecipients),
            'Recipients a minute': count(limits.pushesPerMinute),
          }),
          'Requests in 10 s': `${count(limits.tillRequests)} of cash desks, ${count(limits.heavyRequests)} heavy, ${count(limits.otherRequests)} others`,
        }}
      />
      {!key.limited && may('messages') && (
        <Text my="sm">
          {rate
            ? `${count(used)} of ${count(rate.limit)} used in this minute`
            : 'Nothing was sent from this page in the current minute.'}
        </Text>
      )}
      {rate && <Progress value={(100 * used) / rate.limit} aria-label="Rate used" />}
    </Card>
  );
}
