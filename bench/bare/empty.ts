/** As little as a function can be. */
export async function handler() {
  return { statusCode: 200, body: '{}' };
}
