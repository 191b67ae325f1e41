/** Reads an environment variable while the function starts, so that a missing one stops it at once. */
export function readEnv(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`the environment variable ${name}, which the function needs, is not set`);
  return value;
}
