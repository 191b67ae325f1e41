import type { ResponseTo } from '../../api/operations.ts';

export type Role = ResponseTo<'GET /keys/self'>['role'];

export const roles: Readonly<Record<Role, string>> = {
  full: 'Does everything, including callbacks and keys.',
  'cash-desk':
    'Sees the active check-ins of service points and redeems them. It can be limited to some service points.',
  catalog: 'Sends the list of service points and manages promotions.',
  messages: 'Sends messages, takes them back and reads their states.',
  observer: 'Reads everything and changes nothing. It is never shown a secret.',
};
