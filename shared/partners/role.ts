import * as z from 'zod/mini';

/** The role of a key decides which operations it may call. */
export const Role = z
  .enum(['full', 'cash-desk', 'catalog', 'messages', 'observer'])
  .register(z.globalRegistry, { id: 'Role', description: 'What a key may do' });
export type Role = z.infer<typeof Role>;

/**
 * The keys that may call an operation beside full ones. An observer may call every GET, so no list names it: that
 * follows from the method.
 */
export type OpenTo = readonly Exclude<Role, 'full' | 'observer'>[] | 'every key';

export function mayCall(role: Role, method: string, openTo: OpenTo): boolean {
  if (role === 'full' || openTo === 'every key') return true;
  return role === 'observer' ? method === 'GET' : openTo.includes(role);
}

/** The roles that the OpenAPI document names for a method. */
export function rolesFor(method: string, openTo: OpenTo): Role[] {
  return Role.options.filter((role) => mayCall(role, method, openTo));
}

/** Each description completes a sentence that ends in "which allows". */
export const allowedTo: Record<Role, string> = {
  full: 'everything',
  'cash-desk': 'to list and redeem check-ins',
  catalog: 'to manage service points and promotions',
  messages: 'to send push messages and read their history',
  observer: 'to read everything and change nothing',
};
