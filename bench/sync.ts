import type { Endpoints } from '../local/endpoints.ts';
import { flowActors } from './flows/actors.ts';
import { onePercentChanged, placeAt, placeList, syncList } from './flows/place-list.ts';
import type { Section } from './rig.ts';
import { measureSizes, type Timed } from './sized-rounds.ts';

async function timeSessions(service: Endpoints, size: number) {
  const actors = flowActors(service);
  const places = placeList(size);
  const added = await syncList(actors, places);
  const unchanged = await syncList(actors, places);
  const updated = await syncList(actors, onePercentChanged(places));
  const counts = [added.counts.added, unchanged.counts.unchanged, updated.counts.updated];
  if (counts.join() !== [size, size, Math.ceil(size / 100)].join())
    throw new Error(`wrong counts: ${counts}`);
  return {
    'new, accepted': added.acceptedSeconds,
    'new, finished': added.finishedSeconds,
    'unchanged, finished': unchanged.finishedSeconds,
    '1 % changed, finished': updated.finishedSeconds,
  };
}

const sessions: Timed = {
  elements: 'places',
  rounds: { 100: 3, 1000: 3, 10000: 3 },
  run: timeSessions,
  atMost: { 'new, accepted': 1, 'new, finished': 30 },
  row: placeAt,
};

export const syncSection: Section = {
  name: 'sync',
  about: 'sessions of 100, 1,000 and 10,000 places: new, unchanged, 1 % changed; against writing every place',
  run: (rig) => measureSizes(rig, sessions),
};
