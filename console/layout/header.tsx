import {
  AppShell,
  Badge,
  Burger,
  Button,
  Group,
  NativeSelect,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { useColorScheme } from '@mantine/hooks';
import { settings } from '../api/settings.ts';
import { useSession } from '../session/session.tsx';

interface Props {
  readonly opened: boolean;
  readonly toggle: () => void;
}

export function Header({ opened, toggle }: Props) {
  const { key, offerId, chooseOffer, signOut } = useSession();
  return (
    <AppShell.Header>
      <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
        <Group wrap="nowrap" gap="sm" miw={0}>
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label="Pages"
            aria-expanded={opened}
          />
          <Text fw={700} visibleFrom="xs" style={{ whiteSpace: 'nowrap' }}>
            Partner console
          </Text>
          {settings.wallet === 'simulated' && (
            <Badge color="grape" variant="light" visibleFrom="md">
              Simulated wallet
            </Badge>
          )}
        </Group>
        <Group wrap="nowrap" gap="xs" miw={0}>
          {key.offerIds.length > 1 && (
            <NativeSelect
              aria-label="Offer"
              size="xs"
              data={key.offerIds}
              value={offerId}
              onChange={(event) => chooseOffer(event.currentTarget.value)}
            />
          )}
          <Text size="sm" truncate visibleFrom="sm">
            {key.login} ({key.role})
          </Text>
          <ColorSchemeButton />
          <Button size="xs" variant="default" onClick={signOut} style={{ flexShrink: 0 }}>
            Sign out
          </Button>
        </Group>
      </Group>
    </AppShell.Header>
  );
}

function ColorSchemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const ofSystem = useColorScheme();
  const next = (colorScheme === 'auto' ? ofSystem : colorScheme) === 'dark' ? 'light' : 'dark';
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={`Use ${next} colours`}
      title={`Use ${next} colours`}
      onClick={() => setColorScheme(next)}
    >
      {next === 'dark' ? '☾' : '☀'}
    </Button>
  );
}
