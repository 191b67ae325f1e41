/** How long the gateway caches what the authorizer said: a key that has ended works that much longer at most. */
export const verdictKeptSeconds = 300;
