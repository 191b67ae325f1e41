import { Button, Code, CopyButton, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ApiError } from '../../api/api-error.ts';
import { Answered } from '../../parts/answered.tsx';
import { Card } from '../../parts/card.tsx';

/** The tested programs of the partner guide, each loaded when it is opened. */
const programs = {
  Node: () => import('../../../docs/snippets/verify-callback.mjs?raw'),
  Python: () => import('../../../docs/snippets/verify-callback.py?raw'),
  PHP: () => import('../../../docs/snippets/verify-callback.php?raw'),
  Go: () => import('../../../docs/snippets/verify-callback.go?raw'),
  Java: () => import('../../../docs/snippets/VerifyCallback.java?raw'),
};
type Language = keyof typeof programs;
const languages = Object.keys(programs) as Language[];

export function Snippets() {
  return (
    <Card title="Verify a signature">
      <Text size="sm" mb="sm">
        Without this, anybody who knows the address can send you callbacks. Choose a language:
      </Text>
      <Tabs keepMounted={false} allowTabDeactivation>
        <Tabs.List>
          {languages.map((language) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {languages.map((language) => (
          <Tabs.Panel key={language} value={language} pt="sm">
            <Program language={language} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Card>
  );
}

function Program({ language }: { readonly language: Language }) {
  const program = useQuery<string, ApiError>({
    queryKey: ['program', language],
    queryFn: async () => (await programs[language]()).default,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Answered query={program}>
      {(text) => (
        <>
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" mb="xs" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Code
            block
            tabIndex={0}
            role="region"
            aria-label={`Verify a signature in ${language}`}
            mah={480}
            style={{ overflow: 'auto' }}
          >
            {text}
          </Code>
        </>
      )}
    </Answered>
  );
}
