import { Code, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiError } from '../../api/api-error.ts';
import { loadFile } from '../../api/load-file.ts';
import { Card } from '../../parts/page.tsx';
import { WithResponse } from '../../parts/response.tsx';
import { Copy } from '../../parts/secret.tsx';

const programs: Readonly<Record<string, () => Promise<{ default: string }>>> = {
  Node: () => import('../../../docs/snippets/verify-callback.mjs?raw'),
  Python: () => import('../../../docs/snippets/verify-callback.py?raw'),
  PHP: () => import('../../../docs/snippets/verify-callback.php?raw'),
  Go: () => import('../../../docs/snippets/verify-callback.go?raw'),
  Java: () => import('../../../docs/snippets/VerifyCallback.java?raw'),
};

export function Snippets() {
  const [language, setLanguage] = useState<string | null>('Node');
  return (
    <Card title="Verify signatures">
      <Text mb="sm">
        Verify the signature of every callback. Without that, anybody who knows the address can send you
        callbacks.
      </Text>
      <Tabs value={language} onChange={setLanguage} keepMounted={false}>
        <Tabs.List>
          {Object.keys(programs).map((name) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {language && (
          <Tabs.Panel value={language} pt="sm">
            <Program language={language} />
          </Tabs.Panel>
        )}
      </Tabs>
    </Card>
  );
}

function Program({ language }: { language: string }) {
  const program = useQuery<string | undefined, ApiError>({
    queryKey: ['program', language],
    queryFn: () => loadFile(async () => (await programs[language]?.())?.default),
    staleTime: 'static',
  });
  return (
    <WithResponse query={program}>
      {(text = '') => (
        <>
          <Copy value={text} mb="xs" />
          <Code block tabIndex={0} role="region" aria-label={`Verify a signature in ${language}`} mah={480}>
            {text}
          </Code>
        </>
      )}
    </WithResponse>
  );
}
