/** What `attempt` returns; `undefined` if it throws. For input that may be wrong in many ways, which all mean the same. */
export function unlessItFails<Result>(attempt: () => Result): Result | undefined {
  try {
    return attempt();
  } catch {
    return undefined;
  }
}
