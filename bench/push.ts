import { actorsOf, logFailuresOnly } from './flows/actors.ts';
import { firstPhone, follow, phones, registerPhones, type SendTimes } from './flows/sending.ts';
import type { Section } from './rig.ts';
import { measureSizes, type Timed } from './sized-rounds.ts';

const bulks: Timed<SendTimes> = {
  elements: 'recipients',
  rounds: { 100: 3, 1000: 3, 10000: 2 },
  run: async (service, size) => {
    const actors = actorsOf(service);
    await logFailuresOnly(actors);
    await registerPhones(actors, size);
    return follow(actors, 'POST /push/bulk/single', phones(size));
  },
  row: (n) => ({
    msisdn: firstPhone + n,
    partnerId: 'bars',
    state: 'ENQUEUED',
    acceptedAt: 1_779_278_400_000,
  }),
  figures: [
    { what: 'accepted', secondsOf: ({ accepted }) => accepted },
    { what: 'last recipient opened', secondsOf: ({ opened }) => opened },
    { what: 'delivered, opened and called back', secondsOf: ({ calledBack: last }) => last, atMost: 15 },
  ],
};

export const pushSection: Section = {
  name: 'push',
  about: 'bulk sends of 100, 1,000 and 10,000 to the last callback; against writing a row for each recipient',
  run: (rig) => measureSizes(rig, bulks),
};
