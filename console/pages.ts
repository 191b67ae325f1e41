import { lazy } from 'react';
import { loadFile } from './api/load-file.ts';
import { settings } from './api/settings.ts';
import type { OwnKey } from './session/session.tsx';

type Role = OwnKey['role'];
type File = Parameters<typeof lazy>[0];
export type ConsolePage = ReturnType<typeof page>;

const everyRole = ['cash-desk', 'catalog', 'messages', 'observer'] as const;

/** In the order of the links. Each page is a folder of its own, loaded when it is opened. */
const pages = [
  page('Overview', everyRole, () => import('./pages/overview/overview.tsx'), '/'),
  page('Service points', ['catalog', 'observer'], () => import('./pages/service-points/service-points.tsx')),
  page('Check-ins', ['cash-desk', 'observer'], () => import('./pages/check-ins/check-ins.tsx')),
  page('Messages', ['messages', 'observer'], () => import('./pages/messages/messages.tsx')),
  page('Phone', ['messages'], () => import('./pages/phone/phone.tsx')),
  page('Callbacks', ['observer'], () => import('./pages/callbacks/callbacks.tsx')),
  page('Promotions', ['catalog', 'observer'], () => import('./pages/promotions/promotions.tsx')),
  page('Keys', ['observer'], () => import('./pages/keys/keys.tsx')),
  page('API reference', everyRole, () => import('./pages/api-reference/api-reference.tsx')),
];

/** `roles` are those whose keys may read what it shows, beside full keys. */
function page(
  name: string,
  roles: readonly Role[],
  file: File,
  path = `/${name.toLowerCase().replace(' ', '-')}`,
) {
  const load = () => loadFile(file);
  return {
    name,
    roles,
    path,
    // The router would write /console/ for the first page, which is no address of the service.
    href: path === '/' ? '' : path,
    Content: lazy(load),
    /** After a failure, which React's `lazy` would remember. */
    loadAgain() {
      this.Content = lazy(load);
    },
  };
}

/** The pages that a key of the role may use on this stage. */
export function pagesOf(role: Role) {
  const isHere = (name: string) => name !== 'Phone' || settings.wallet === 'simulated';
  return pages.filter(({ name, roles }) => isHere(name) && (role === 'full' || roles.includes(role)));
}
