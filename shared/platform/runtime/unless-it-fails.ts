/** Returns `undefined` if `attempt` throws: an input may be wrong in many ways that all mean the same. */
export function unlessItFails<Result>(attempt: () => Result): Result | undefined {
  try {
    return attempt();
  } catch {
    return undefined;
  }
}
