import { Command } from '@commander-js/extra-typings';
import { changedMeanwhile, findPartner } from '../lookups.ts';
import { effectiveAtGateway } from '../propagation.ts';
import { confirmPartner, type Report, type Run, type Session, yesOption } from '../session.ts';

export function disablePartner(run: Run) {
  return new Command('disable')
    .description('Refuses every request of a partner, until it is enabled.')
    .argument('<partnerId>')
    .addOption(yesOption)
    .addHelpText(
      'after',
      `
Its data stays, and so do messages that were accepted: their callbacks go on, unless callback disable stops them.`,
    )
    .action((partnerId, options) =>
      run(async (session) => {
        await findPartner(session, partnerId);
        const consequence = `Every request of ${partnerId} will be refused.`;
        await confirmPartner(session, options, { partnerId, consequence });
        return setDisabled(session, partnerId, true);
      }),
    );
}

export function enablePartner(run: Run) {
  return new Command('enable')
    .description('Takes requests of a disabled partner again.')
    .argument('<partnerId>')
    .action((partnerId) => run((session) => setDisabled(session, partnerId, false)));
}

async function setDisabled(session: Session, partnerId: string, disabled: boolean): Promise<Report> {
  const { login } = await findPartner(session, partnerId);
  if (!(await session.partners.setDisabled(login, disabled))) throw changedMeanwhile(partnerId);
  return {
    text: `${partnerId} is ${disabled ? 'disabled' : 'enabled'}. ${effectiveAtGateway}`,
    json: { partnerId, disabled },
  };
}
