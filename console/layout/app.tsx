import { AppShell } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { pagesOf } from '../pages.ts';
import { NextStep } from '../parts/next-step.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { useSession } from '../session/session.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Header } from './header.tsx';
import { Navigation } from './navigation.tsx';

/** The frame around every page. */
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
      <Navigation pages={pages} onChosen={close} />
      <AppShell.Main>
        {/* Another page or offer begins without the failure of the one before. */}
        <ErrorBoundary key={`${path} ${offerId}`}>
          <Suspense fallback={<Waiting />}>
            <Switch>
              {pages.map(({ path: pagePath, Content }) => (
                <Route key={pagePath} path={pagePath} component={Content} />
              ))}
              <Route>
                <NextStep title="This page is not here" to={{ name: 'Overview', path: '/' }}>
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
