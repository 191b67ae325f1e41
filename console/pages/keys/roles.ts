import type { Answer } from '../../api/operations.ts';

export type Role = Answer<'GET /keys/self'>['role'];

export const roles: Readonly<Record<Role, string>> = {
  full: 'Everything, callbacks and keys too.',
  'cash-desk':
    'Sees the active check-ins of service points and redeems them. It can be limited to service points.',
  catalog: 'Sends the list of service points and manages promotions.',
  messages: 'Sends messages and reads what became of them.',
  observer: 'Reads everything and changes nothing. No secret is ever shown to it.',
};
