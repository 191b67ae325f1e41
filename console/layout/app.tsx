import { AppShell, NavLink } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { type ConsolePage, pagesOf } from '../pages.ts';
import { Waiting } from '../parts/answered.tsx';
import { NextStep } from '../parts/page.tsx';
import { useSession } from '../session/session.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Header } from './header.tsx';

export function App() {
  const { key, offerId } = useSession();
  const [opened, { toggle, close }] = useDisclosure();
  const [path] = useLocation();
  const pages = pagesOf(key.role);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 210, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <Header opened={opened} toggle={toggle} />
      <AppShell.Navbar p="xs" aria-label="Pages">
        {pages.map((page) => (
          <NavLink
            key={page.path}
            component={Link}
            // The light colour of the active link is too pale where the pointer is.
            variant="filled"
            href={page.href}
            label={page.name}
            active={path === page.path}
            aria-current={path === page.path ? 'page' : undefined}
            onClick={close}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main>
        {/* Another page or offer begins without the failure of the one before. */}
        <ErrorBoundary
          key={`${path} ${offerId}`}
          onRetry={() => pages.find((page) => page.path === path)?.loadAgain()}
        >
          <Suspense fallback={<Waiting />}>
            <Switch>
              {pages.map((page) => (
                <Route key={page.path} path={page.path}>
                  <Loaded page={page} />
                </Route>
              ))}
              <Route>
                <NextStep title="This page is not here" to={{ name: 'Overview', path: '' }}>
                  The address is wrong, or the page is for keys with another role than {key.role}.
                </NextStep>
              </Route>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </AppShell.Main>
    </AppShell>
  );
}

/** Looks for the content each time that it is shown, since it may have been loaded again. */
function Loaded({ page }: { page: ConsolePage }) {
  return <page.Content />;
}
