/** As little as a function can be. */
export const handler = async () => ({ statusCode: 200, body: '{}' });
