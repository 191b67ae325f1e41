import { drainDelayMs } from '../../../shared/callbacks/endpoint-health.ts';
import { changedMeanwhile, failed } from '../../cli/stop.ts';
import type { Command } from '../command.ts';
import { atTheWorkers } from '../effect.ts';
import { endpointOf, partnerOf } from '../whom.ts';

export const enableCallback: Command = {
  name: 'callback enable',
  operands: ['partnerId'],
  summary: 'Calls a partner back again, and forgets that its endpoint failed.',
  details:
    'Callbacks that wait are sent within minutes. Those skipped meanwhile are kept: callbacks replay sends them.',
  options: {},
  run: async (call) => {
    const { partnerId } = await partnerOf(call);
    await endpointOf(call, partnerId);
    if (!(await call.endpoints.enable(partnerId))) throw changedMeanwhile(partnerId);
    // What an open circuit put off for hours would wait on, although nothing is in its way any more.
    await call.callbacks.startDrain(partnerId, call.clock.now() + drainDelayMs);
    return {
      text: `Callbacks of ${partnerId} are enabled. ${atTheWorkers}
What was skipped is kept: npm run partner -- callbacks replay ${partnerId} --skipped`,
      json: { partnerId, status: 'enabled' },
    };
  },
};

export const disableCallback: Command = {
  name: 'callback disable',
  operands: ['partnerId'],
  summary: 'Calls a partner back no more, until it is enabled.',
  details: 'Nothing is lost: callbacks are kept as skipped for 30 days and can be replayed.',
  options: {},
  dangerous: () => true,
  run: async (call) => {
    const { partnerId } = await partnerOf(call);
    const endpoint = await endpointOf(call, partnerId);
    if (endpoint.status === 'disabled') throw failed(`Callbacks of ${partnerId} are disabled already.`);
    await call.confirm(partnerId, `${partnerId} will hear of no delivered or opened message.`);
    const disabled = await call.endpoints.disable(endpoint, 'by an operator', call.clock.now());
    if (!disabled) throw changedMeanwhile(partnerId);
    return {
      text: `Callbacks of ${partnerId} are disabled, and kept as skipped for 30 days. ${atTheWorkers}`,
      json: { partnerId, status: 'disabled' },
    };
  },
};
