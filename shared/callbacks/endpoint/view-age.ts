/** An instance uses a view of an endpoint for this long before it reads it again. */
export const viewKeptMs = 5_000;
/**
 * This long after a change of an endpoint no instance uses an older view any more. Twice as long, because a view is an
 * eventually consistent read and may itself be a little old.
 */
export const viewsAgreeAfterMs = 2 * viewKeptMs;
