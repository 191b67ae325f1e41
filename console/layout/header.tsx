import {
  AppShell,
  Burger,
  Button,
  Group,
  NativeSelect,
  Stack,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import type { RefObject } from 'react';
import { settings } from '../api/settings.ts';
import { useSession } from '../session/session.tsx';

const small = { size: 'xs', variant: 'default', miw: 'max-content' } as const;

type Props = { opened: boolean; toggle: () => void; menuButton: RefObject<HTMLButtonElement | null> };

export function Header({ opened, toggle, menuButton }: Props) {
  const { key, offerId, chooseOffer, signOut } = useSession();
  const { setColorScheme } = useMantineColorScheme();
  const next = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  const label = `Use ${next} colours`;
  return (
    <AppShell.Header>
      <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
        <Group wrap="nowrap" gap="sm" miw={0} flex={1}>
          <Burger
            ref={menuButton}
            aria-expanded={opened}
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label="Pages"
          />
          <Text size="md" fw={700} visibleFrom="xs" style={{ whiteSpace: 'nowrap' }}>
            Partner console
          </Text>
          <Stack gap={0} miw={0} role="group" aria-label="Signed in">
            <Text size="xs" fw={600} truncate title={key.login}>
              {key.login} ({key.role})
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {settings.stage}
              {settings.wallet === 'simulated' && ', simulated wallet'}
            </Text>
          </Stack>
        </Group>
        <Group wrap="nowrap" gap="xs">
          {key.offerIds.length > 1 && (
            <NativeSelect
              aria-label="Offer"
              size="xs"
              maw={{ base: 88, xs: 240 }}
              data={key.offerIds}
              value={offerId}
              onChange={(event) => chooseOffer(event.currentTarget.value)}
            />
          )}
          <Button {...small} aria-label={label} title={label} onClick={() => setColorScheme(next)}>
            {next === 'dark' ? '☾' : '☀'}
          </Button>
          <Button {...small} onClick={signOut}>
            Sign out
          </Button>
        </Group>
      </Group>
    </AppShell.Header>
  );
}
