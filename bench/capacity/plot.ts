import { quotas } from './quotas.ts';
import { type Minute, type Scenario, scenarios, simulate } from './simulation.ts';
import { type Line, svgOf } from './svg.ts';

export const plotFile = 'docs/images/callbacks-at-a-million.svg';

/** Told apart without red and green alone. */
const colors = ['#0969da', '#57606a', '#cf222e', '#bc4c00', '#8250df', '#1a7f37'] as const;

export interface Run {
  readonly scenario: Scenario;
  readonly minutes: readonly Minute[];
}

export function runAll(): Run[] {
  return scenarios.map((scenario) => ({ scenario, minutes: simulate(scenario) }));
}

function linesOf(runs: readonly Run[], value: (minute: Minute) => number): Line[] {
  return runs.map(({ scenario, minutes }, n) => ({
    name: scenario.name,
    color: colors[n % colors.length] ?? '#000000',
    values: minutes.map(value),
  }));
}

/** The committed picture, from the simulation of today. */
export function plotOf(runs: readonly Run[]): string {
  return svgOf({
    title: '1,000,000 pushes a minute for an hour, ten partners, all with callbacks (simulated)',
    minutes: runs[0]?.scenario.followedMinutes ?? 0,
    shadedMinutes: runs[0]?.scenario.minutes ?? 0,
    shadedName: 'pushes are being sent',
    panels: [
      {
        title: 'Callbacks that wait, of the partners whose endpoint is well',
        unit: 'millions',
        lines: linesOf(runs, ({ callbacksWaiting }) => callbacksWaiting / 1e6),
      },
      {
        title: 'How long the callback that is delivered now has waited',
        unit: 'minutes',
        lines: linesOf(runs, ({ callbackAgeSeconds }) => callbackAgeSeconds / 60),
      },
      {
        title: 'Messages hidden after a write that the key of the dead partner did not take',
        unit: 'thousands',
        lines: linesOf(runs, ({ inFlightHidden }) => inFlightHidden / 1e3),
        level: {
          value: quotas.messagesInFlight.limit / 1e3,
          name: 'in flight at most: then nobody is served',
        },
      },
    ],
  });
}
