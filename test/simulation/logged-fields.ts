import known from './logged-fields.json' with { type: 'json' };

/**
 * The fields and metrics of workers, of those that about every other run logs, which none of the runs has logged. Those
 * of operations are compared where their costs are measured.
 */
export function neverLogged(runs: readonly { logged: ReadonlySet<string> }[]): string[] {
  return Object.entries(known)
    .flatMap(([code, fields]) => fields.split(' ').map((field) => `${code} ${field}`))
    .filter((one) => !runs.some(({ logged }) => logged.has(one)));
}
