import type { Command } from './command.ts';
import { rotateCallbackSecret } from './commands/callback-rotate.ts';
import { setCallback } from './commands/callback-set.ts';
import { disableCallback, enableCallback } from './commands/callback-switch.ts';
import { listCallbacks } from './commands/callbacks-list.ts';
import { replayCallbacks } from './commands/callbacks-replay.ts';
import { createPartner } from './commands/create.ts';
import { eraseCommand } from './commands/erase.ts';
import { forgetCommand } from './commands/forget.ts';
import { changeLimits } from './commands/limits.ts';
import { listPartners } from './commands/list.ts';
import { addOffer, removeOffer } from './commands/offers.ts';
import { rotateSecret } from './commands/rotate-secret.ts';
import { showPartner } from './commands/show.ts';
import { disablePartner, enablePartner } from './commands/switch.ts';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  createPartner,
  showPartner,
  listPartners,
  addOffer,
  removeOffer,
  changeLimits,
  rotateSecret,
  disablePartner,
  enablePartner,
  setCallback,
  enableCallback,
  disableCallback,
  rotateCallbackSecret,
  listCallbacks,
  replayCallbacks,
  eraseCommand,
  forgetCommand,
];
