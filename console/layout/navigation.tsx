import { AppShell, NavLink } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import type { Page } from '../pages.ts';

interface Props {
  readonly pages: readonly Page[];
  readonly onChosen: () => void;
}

export function Navigation({ pages, onChosen }: Props) {
  const [path] = useLocation();
  return (
    <AppShell.Navbar p="xs" aria-label="Pages">
      {pages.map((page) => (
        <NavLink
          key={page.path}
          component={Link}
          // The light colour of the active link is too pale where the pointer is.
          variant="filled"
          href={page.path}
          label={page.name}
          active={path === page.path}
          aria-current={path === page.path ? 'page' : undefined}
          onClick={onChosen}
        />
      ))}
    </AppShell.Navbar>
  );
}
