import { Command } from '@commander-js/extra-typings';
import { failure } from '../../../build/command-line.ts';
import { drainDelayMs } from '../../../shared/callbacks/endpoint-health.ts';
import { changedMeanwhile, findEndpoint, findPartner } from '../lookups.ts';
import { effectiveAtWorkers } from '../propagation.ts';
import { confirmPartner, type Report, type Run, type Session, yesOption } from '../session.ts';

export function enableCallback(run: Run) {
  return new Command('enable')
    .description('Calls a partner back again, and clears the failures of its endpoint.')
    .argument('<partnerId>')
    .addHelpText(
      'after',
      `
Callbacks that wait are sent within minutes. Those skipped meanwhile are kept: callbacks replay sends them.`,
    )
    .action((partnerId) => run((session) => enable(session, partnerId)));
}

async function enable(session: Session, partnerId: string): Promise<Report> {
  await findPartner(session, partnerId);
  await findEndpoint(session, partnerId);
  if (!(await session.endpoints.enable(partnerId))) throw changedMeanwhile(partnerId);
  // Callbacks that an open circuit put off for hours would wait on, although nothing stops them any more.
  await session.callbacks.startDrain(partnerId, session.clock.now() + drainDelayMs);
  return {
    text: `Callbacks of ${partnerId} are enabled. ${effectiveAtWorkers}
What was skipped is kept: npm run partner -- callbacks replay ${partnerId} --skipped`,
    json: { partnerId, status: 'enabled' },
  };
}

export function disableCallback(run: Run) {
  return new Command('disable')
    .description('Sends a partner no callbacks, until they are enabled.')
    .argument('<partnerId>')
    .addOption(yesOption)
    .addHelpText(
      'after',
      `
Nothing is lost: callbacks are kept as skipped for 30 days and can be replayed.`,
    )
    .action((partnerId, options) =>
      run(async (session) => {
        await findPartner(session, partnerId);
        const endpoint = await findEndpoint(session, partnerId);
        if (endpoint.status === 'disabled') throw failure(`Callbacks of ${partnerId} are disabled already.`);
        const consequence = `${partnerId} will get no callback about a delivered or opened message.`;
        await confirmPartner(session, options, { partnerId, consequence });
        const disabled = await session.endpoints.disable(endpoint, 'by an operator', session.clock.now());
        if (!disabled) throw changedMeanwhile(partnerId);
        return {
          text: `Callbacks of ${partnerId} are disabled, and kept as skipped for 30 days. ${effectiveAtWorkers}`,
          json: { partnerId, status: 'disabled' },
        };
      }),
    );
}
