import { registerHooks } from 'node:module';
import { systemClock } from '../../../shared/platform/runtime/clock.ts';
import { systemIds } from '../../../shared/platform/runtime/ids.ts';
import { invocations } from '../core/calls.ts';
import { theRun } from '../core/current.ts';
import { isLong } from '../long-runs.ts';
import { changeLine } from './change-line.ts';

const standIns = new URL('stand-ins.ts', import.meta.url).href;

/** The functions through which the service reaches the outside world. */
const replaced = [
  ['shared/platform/table/table.ts', 'connectTable'],
  ['shared/platform/queues/queue.ts', 'connectQueue'],
  ['shared/platform/egress/guarded-client.ts', 'guardedClient'],
  ['shared/platform/logging/log.ts', 'startWork'],
] as const;
for (const [file, name] of replaced) {
  const standIn = `import { ${name} } from '${standIns}'; export { ${name} };`;
  const was = `export function ${name}(`;
  changeLine({ name: 'a stand-in', file, was, becomes: `${standIn} function ${name}OfAws(` });
}

const builtIn = new Map([
  ['node:zlib', new URL('zlib.ts', import.meta.url).href],
  ['node:timers/promises', new URL('timers.ts', import.meta.url).href],
  ['node:timers', new URL('timers-with-callback.ts', import.meta.url).href],
]);

/** From now on, modules of the service are imported with the simulation's clock, randomness and outside world. */
registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const url = builtIn.get(specifier);
    // A stand-in may import the module that it stands in for.
    if (!url || context.parentURL === url) return nextResolve(specifier, context);
    return { url, format: 'module-typescript', shortCircuit: true };
  },
});

/**
 * Limits that are smaller here, so that short lists have several parts, few recipients need several leases, and, in short
 * runs, an hour without a success disables an endpoint.
 */
const smaller = [
  ['shared/push/sending/rate-window.ts', 'const leasesPerWindow = 1_000;', 'const leasesPerWindow = 20;'],
  ['shared/places/list-message.ts', 'const bytesInMessage = 770_000;', 'const bytesInMessage = 180;'],
  ['shared/places/list-message.ts', 'const bytesInRow = 390_000;', 'const bytesInRow = 100;'],
  [
    'shared/push/packed-recipients.ts',
    'export const recipientsPerPart = 1_000;',
    'export const recipientsPerPart = 15;',
  ],
  ['shared/push/message-rows.ts', 'export const multiPerPart = 80;', 'export const multiPerPart = 10;'],
  ['shared/platform/http/idempotency.ts', 'const roomInRow = 1_024 - 260;', 'const roomInRow = 600 - 260;'],
] as const;
const shorter = [
  ['shared/callbacks/endpoint/circuit.ts', 'disabledAfterMs: days(5)', 'disabledAfterMs: hours(1)'],
  ['shared/callbacks/endpoint/circuit.ts', 'FailingMs: hours(24)', 'FailingMs: minutes(40)'],
  ['shared/callbacks/endpoint/circuit.ts', 'disabledAfterMs - days(1)', 'disabledAfterMs - minutes(20)'],
] as const;
const [, , , planted, , hours] = process.argv;
if (planted !== 'forecast')
  for (const [file, was, becomes] of isLong(Number(hours)) ? smaller : [...smaller, ...shorter])
    changeLine({ name: 'a smaller limit', file, was, becomes });

systemClock.now = () => theRun.time.now() + (invocations.getStore()?.skewMs ?? 0);
systemIds.token = (count) => theRun.rng.bytes(count).toString('base64url');
systemIds.uuid = () => theRun.rng.uuid();
Math.random = () => theRun.rng.random();
