import { Alert, Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Alert color="red" role="alert" title="This page could not be shown">
        Load it again; you will be asked to sign in.
        <Button mt="sm" display="block" onClick={() => location.reload()}>
          Load again
        </Button>
      </Alert>
    );
  }
}
