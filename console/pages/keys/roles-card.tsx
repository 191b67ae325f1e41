import { Text } from '@mantine/core';
import { Card } from '../../parts/card.tsx';
import { Rows } from '../../parts/rows.tsx';
import { roleNames, roles } from './roles.ts';

export function RolesCard() {
  const rows = roleNames.map((role) => ({
    key: role,
    cells: [
      <Text key="role" size="sm" fw={600} style={{ whiteSpace: 'nowrap' }}>
        {role}
      </Text>,
      roles[role].may,
      roles[role].owner,
    ],
  }));
  return (
    <Card title="What a role may do">
      <Rows label="Roles" columns={['Role', 'May', 'Meant for']} rows={rows} />
    </Card>
  );
}
