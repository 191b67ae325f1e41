import type { ComponentType } from 'react';
import { ApiError } from './api/api-error.ts';
import { settings } from './api/settings.ts';
import type { OwnKey } from './session/session.tsx';

type Role = OwnKey['role'];
type File = () => Promise<{ default: ComponentType }>;
export type ConsolePage = ReturnType<typeof page>;

const everyRole = ['cash-desk', 'catalog', 'messages', 'observer'] as const;

/** The pages in the order of their links. Each page is a folder that is loaded when the page is opened. */
const pages = [
  page('Overview', everyRole, () => import('./pages/overview/overview.tsx'), '/'),
  page('Service points', ['catalog', 'observer'], () => import('./pages/service-points/service-points.tsx')),
  page('Check-ins', ['cash-desk', 'observer'], () => import('./pages/check-ins/check-ins.tsx')),
  page('Messages', ['messages', 'observer'], () => import('./pages/messages/messages.tsx')),
  page('Phone', ['messages'], () => import('./pages/phone/phone.tsx')),
  page('Callbacks', ['observer'], () => import('./pages/callbacks/callbacks.tsx')),
  page('Events', ['observer'], () => import('./pages/events/events.tsx')),
  page('Promotions', ['catalog', 'observer'], () => import('./pages/promotions/promotions.tsx')),
  page('Keys', ['observer'], () => import('./pages/keys/keys.tsx')),
  page('API reference', everyRole, () => import('./pages/api-reference/api-reference.tsx')),
];

/** `roles` may read what the page shows. The role `full` may always do so. */
function page(
  name: string,
  roles: readonly Role[],
  file: File,
  path = `/${name.toLowerCase().replace(' ', '-')}`,
) {
  // This fails without a connection, or if a new version has replaced the file.
  const fail = () => {
    throw new ApiError(0, 'FILE_MISSING', [
      'A file of this page could not be loaded. The connection failed, or a new version of the console was deployed.',
    ]);
  };
  return {
    name,
    roles,
    path,
    // For `/` the router would write /console/, and the service has no such address.
    href: path === '/' ? '' : path,
    /** Is undefined until `load` has loaded it. */
    Content: undefined as ComponentType | undefined,
    async load() {
      this.Content ??= (await file().catch(fail)).default;
      return this.Content;
    },
  };
}

const aboutWholeAccount = new Set(['Messages', 'Phone', 'Callbacks', 'Events', 'Promotions']);

/** The pages that a key may use on this stage. */
export function pagesOf({ role, limited }: Pick<OwnKey, 'role' | 'limited'>) {
  const isHere = (name: string) => name !== 'Phone' || settings.wallet === 'simulated';
  const isClosed = (name: string) =>
    limited && (aboutWholeAccount.has(name) || (name === 'Keys' && role !== 'full'));
  return pages.filter(
    ({ name, roles }) => isHere(name) && !isClosed(name) && (role === 'full' || roles.includes(role)),
  );
}
