import { partnerStore } from '../../shared/partners/partner-store.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { connectTable } from '../../shared/table/table.ts';
import { authorizePartner } from './authorize-partner.ts';

const table = connectTable(readEnv('TABLE_NAME').TABLE_NAME);
export const handler = authorizePartner({ partners: partnerStore(table) });
