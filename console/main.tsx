import '@mantine/core/styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { App } from './layout/app.tsx';
import { cssVariables, theme } from './layout/theme.ts';
import { SessionProvider } from './session/session.tsx';
import { SignIn } from './session/sign-in.tsx';

// Without this, requests would wait in silence for the network. Now they fail with a sentence, as any other request.
const networkMode = 'always';
const queries = new QueryClient({
  defaultOptions: {
    // The page shows what is wrong, and the user decides whether to try again.
    queries: { retry: false, staleTime: 5_000, networkMode, refetchOnReconnect: true },
    // A secret that was sent or made is forgotten soon after its page is left.
    mutations: { networkMode, gcTime: 1_000 },
  },
});

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element "root".');
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <Router base="/console">
          <SessionProvider SignIn={SignIn}>
            <App />
          </SessionProvider>
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
