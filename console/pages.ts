import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { settings } from './api/settings.ts';
import type { OwnKey } from './session/session.tsx';

type Role = OwnKey['role'];

export interface Page {
  /** As the link is named. */
  readonly name: string;
  /** Below /console. */
  readonly path: string;
  /** The roles whose keys may read what it shows, beside full keys. */
  readonly roles: readonly Role[];
  readonly Content: LazyExoticComponent<ComponentType>;
}

const everyRole = ['cash-desk', 'catalog', 'messages', 'observer'] as const;

/** In the order of the links. Each page is a folder of its own, loaded when it is opened. */
const pages: readonly Page[] = [
  {
    name: 'Overview',
    path: '/',
    roles: everyRole,
    Content: lazy(() => import('./pages/overview/overview.tsx')),
  },
  {
    name: 'Service points',
    path: '/service-points',
    roles: ['catalog', 'observer'],
    Content: lazy(() => import('./pages/service-points/service-points.tsx')),
  },
  {
    name: 'Check-ins',
    path: '/check-ins',
    roles: ['cash-desk', 'observer'],
    Content: lazy(() => import('./pages/check-ins/check-ins.tsx')),
  },
  {
    name: 'Messages',
    path: '/messages',
    roles: ['messages', 'observer'],
    Content: lazy(() => import('./pages/messages/messages.tsx')),
  },
  ...(settings.wallet === 'simulated'
    ? [
        {
          name: 'Phone',
          path: '/phone',
          roles: ['messages'] as const,
          Content: lazy(() => import('./pages/phone/phone.tsx')),
        },
      ]
    : []),
  {
    name: 'Callbacks',
    path: '/callbacks',
    roles: ['observer'],
    Content: lazy(() => import('./pages/callbacks/callbacks.tsx')),
  },
  {
    name: 'Promotions',
    path: '/promotions',
    roles: ['catalog', 'observer'],
    Content: lazy(() => import('./pages/promotions/promotions.tsx')),
  },
  { name: 'Keys', path: '/keys', roles: ['observer'], Content: lazy(() => import('./pages/keys/keys.tsx')) },
  {
    name: 'API reference',
    path: '/api-reference',
    roles: everyRole,
    Content: lazy(() => import('./pages/api-reference/api-reference.tsx')),
  },
];

/** The pages that a key of the role may use. */
export function pagesOf(role: Role): readonly Page[] {
  return pages.filter(({ roles }) => role === 'full' || roles.includes(role));
}
