import { Anchor, AppShell, NavLink, Text } from '@mantine/core';
import { useDisclosure, useFocusWithin } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { type ConsolePage, pagesOf } from '../pages.ts';
import { SecretOnce } from '../parts/dialog.tsx';
import { Page } from '../parts/page.tsx';
import { Waiting } from '../parts/response.tsx';
import { useSession } from '../session/session.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Header } from './header.tsx';
import { keepFocus } from './keep-focus.ts';

const contentId = 'content';

export function App() {
  const { key, offerId } = useSession();
  const [opened, { toggle, close }] = useDisclosure();
  const [path] = useLocation();
  const pages = pagesOf(key);
  useEffect(keepFocus, []);
  const menuButton = useRef<HTMLButtonElement>(null);
  function closeByEscape(event: KeyboardEvent) {
    if (!opened || event.key !== 'Escape') return;
    close();
    menuButton.current?.focus();
  }
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 210, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
      onKeyDown={closeByEscape}
    >
      <SkipLink />
      <Header opened={opened} toggle={toggle} menuButton={menuButton} />
      {/* A closed menu of a narrow window is only moved out of sight, where Tab would still reach its links. */}
      <AppShell.Navbar p="xs" aria-label="Pages" {...(!opened && { visibleFrom: 'sm' })}>
        {pages.map((page) => (
          <NavLink
            key={page.path}
            component={Link}
            // In the light variant the text of the active link is too pale under the pointer.
            variant="filled"
            href={page.href}
            label={page.name}
            active={path === page.path}
            aria-current={path === page.path ? 'page' : undefined}
            onClick={close}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main id={contentId} tabIndex={-1} style={{ outline: 'none' }}>
        {/* The key makes a page begin again, without its error, for another path or offer. */}
        <ErrorBoundary key={`${path} ${offerId}`}>
          <Switch>
            {pages.map((page) => (
              <Route key={page.path} path={page.path}>
                <Loaded page={page} />
              </Route>
            ))}
            <Route>
              <Page title="This page is not here">
                <Text>
                  The address is wrong, or a key with the role {key.role}
                  {key.limited && ' that is limited to some offers'} may not open the page. Go to the{' '}
                  <Anchor component={Link} href="" inherit underline="always">
                    Overview
                  </Anchor>
                  .
                </Text>
              </Page>
            </Route>
          </Switch>
        </ErrorBoundary>
      </AppShell.Main>
      <SecretOnce />
    </AppShell>
  );
}

/** The first link of the page. It is above the window until it has the focus. */
function SkipLink() {
  const { ref, focused } = useFocusWithin<HTMLAnchorElement>();
  const place = { position: 'fixed', top: focused ? 8 : -100, left: 8, zIndex: 1000 } as const;
  return (
    <Anchor ref={ref} href={`#${contentId}`} bg="var(--mantine-color-body)" px="md" py="xs" style={place}>
      Skip the menu
    </Anchor>
  );
}

/** Shows the page once its file is loaded. React's `lazy` would hold it back until 300 ms after it began to wait. */
function Loaded({ page }: { page: ConsolePage }) {
  const [Content, setContent] = useState(() => page.Content);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    page.load().then((loaded) => setContent(() => loaded), setError);
  }, [page]);
  if (error) throw error;
  return Content ? <Content /> : <Waiting />;
}
