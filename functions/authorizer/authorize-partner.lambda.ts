import { partnerStore } from '../../shared/partners/partner-store.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { connectTable } from '../../shared/platform/table/table.ts';
import { authorizePartner } from './authorize-partner.ts';

const { TABLE_NAME, PUSHES_PER_MINUTE } = readEnv('TABLE_NAME', 'PUSHES_PER_MINUTE');
export const handler = authorizePartner({
  partners: partnerStore(connectTable(TABLE_NAME)),
  pushesPerMinute: Number(PUSHES_PER_MINUTE),
});
