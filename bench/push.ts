import { flowActors, logFailuresOnly } from './flows/actors.ts';
import { firstPhone, follow, phones, registerPhones } from './flows/sending.ts';
import type { Section } from './rig.ts';
import { measureSizes, type Timed } from './sized-rounds.ts';

const bulks: Timed = {
  elements: 'recipients',
  rounds: { 100: 3, 1000: 3, 10000: 2 },
  run: async (service, size) => {
    const actors = flowActors(service);
    await logFailuresOnly(actors);
    await registerPhones(actors, size);
    const times = await follow(actors, 'POST /push/bulk/single', phones(size));
    return {
      accepted: times.accepted,
      'last recipient opened': times.opened,
      'delivered, opened and called back': times.calledBack,
    };
  },
  atMost: { 'delivered, opened and called back': 15 },
  row: (n) => ({
    msisdn: firstPhone + n,
    partnerId: 'bars',
    state: 'ENQUEUED',
    acceptedAt: 1_779_278_400_000,
  }),
};

export const pushSection: Section = {
  name: 'push',
  about: 'bulk sends of 100, 1,000 and 10,000 to the last callback; against writing a row for each recipient',
  run: (rig) => measureSizes(rig, bulks),
};
