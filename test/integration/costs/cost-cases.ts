import { callbackCosts } from './callback-costs.ts';
import { checkInCosts } from './check-in-costs.ts';
import type { CostCases } from './cost-case.ts';
import { endpointCosts } from './endpoint-costs.ts';
import { eventCosts } from './event-costs.ts';
import { keyCosts } from './key-costs.ts';
import { placeCosts } from './place-costs.ts';
import { promotionCosts } from './promotion-costs.ts';
import { sandboxCosts } from './sandbox-costs.ts';
import { sendCosts } from './send-costs.ts';
import { sentCosts } from './sent-costs.ts';

/** The worst cases of all operations. */
export const costCases: CostCases = {
  ...placeCosts,
  ...checkInCosts,
  ...sendCosts,
  ...sentCosts,
  ...promotionCosts,
  ...keyCosts,
  ...eventCosts,
  ...endpointCosts,
  ...callbackCosts,
  ...sandboxCosts,
};
