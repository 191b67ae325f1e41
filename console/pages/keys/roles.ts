import type { Answer } from '../../api/operations.ts';

export type Role = Answer<'GET /keys/self'>['role'];

/** What each role may do, and who has such a key. */
export const roles: Readonly<Record<Role, { readonly may: string; readonly owner: string }>> = {
  full: { may: 'Everything, callbacks and keys too.', owner: 'Whoever runs the integration' },
  'cash-desk': {
    may: 'Sees the active check-ins of service points and redeems them. It can be limited to service points.',
    owner: 'Cash-desk software',
  },
  catalog: {
    may: 'Sends the list of service points and manages promotions.',
    owner: 'The system with your service points, marketing',
  },
  messages: {
    may: 'Sends messages and reads what became of them.',
    owner: 'The system that writes to customers',
  },
  observer: {
    may: 'Reads everything and changes nothing. No secret is ever shown to it.',
    owner: 'Monitoring, support',
  },
};

export const roleNames = Object.keys(roles) as Role[];
