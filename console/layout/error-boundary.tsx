import { Alert, Button, Group } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { BusyButton } from '../parts/buttons.tsx';

type Props = { readonly children: ReactNode };

export class ErrorBoundary extends Component<Props, { readonly error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  readonly #retry = () => this.setState({ error: undefined });

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failed error={error} retry={this.#retry} />;
  }
}

/** Leaves it to the user to load the console again, because that ends the session and drops what was typed. */
function Failed({ error, retry }: { error: unknown; retry: () => void }) {
  const isSending = useIsMutating() > 0;
  return (
    <Alert color="red" role="alert" title="This page could not be shown">
      {error instanceof ApiError ? error.message : 'The page failed.'} You are still signed in, so try again.
      If that does not help, load the console again: you then have to sign in, and what you typed is gone. If
      you have written a message, send it first on the page Messages.
      <Group mt="sm" gap="xs">
        <Button onClick={retry}>Try again</Button>
        <BusyButton variant="default" busy={isSending} onClick={() => location.reload()}>
          Load the console again
        </BusyButton>
      </Group>
    </Alert>
  );
}
