import { Code, Tabs, Text } from '@mantine/core';
import java from '../../../docs/snippets/VerifyCallback.java?raw';
import go from '../../../docs/snippets/verify-callback.go?raw';
import node from '../../../docs/snippets/verify-callback.mjs?raw';
import php from '../../../docs/snippets/verify-callback.php?raw';
import python from '../../../docs/snippets/verify-callback.py?raw';
import { Copy } from '../../parts/buttons.tsx';
import { Card } from '../../parts/page.tsx';

const programs: Readonly<Record<string, string>> = {
  Node: node,
  Python: python,
  PHP: php,
  Go: go,
  Java: java,
};

export function Snippets() {
  return (
    <Card title="Verify signatures">
      <Text mb="sm">
        Verify the signature of every callback. Without that, anybody who knows the address can send you
        callbacks.
      </Text>
      <Tabs defaultValue="Node" keepMounted={false}>
        <Tabs.List>
          {Object.keys(programs).map((name) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(programs).map(([name, program]) => (
          <Tabs.Panel key={name} value={name} pt="sm">
            <Copy value={program} mb="xs" />
            <Code
              block
              tabIndex={0}
              role="region"
              aria-label={`Verify a signature in ${name}`}
              mah={480}
              style={{ whiteSpace: 'pre' }}
            >
              {program}
            </Code>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Card>
  );
}
