import { expect, test, vi } from 'vitest';
import { signForIam } from '../../ops/smoke/sign-for-iam.ts';

test("requests to the wallet's routes are signed for the gateway with SigV4", async () => {
  vi.setSystemTime('2026-05-01T12:00:00Z');
  const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'token' };
  const sign = signForIam('eu-central-1', credentials);
  const headers = await sign({
    method: 'POST',
    url: new URL('https://abc.execute-api.eu-central-1.amazonaws.com/wallet/check-ins'),
    headers: { 'content-type': 'application/json' },
    body: '{"offerId":"smoke"}',
  });
  vi.useRealTimers();
  // The signature was calculated by another implementation of HMAC, from AWS's description of it.
  expect(headers).toEqual({
    'content-type': 'application/json',
    'x-amz-date': '20260501T120000Z',
    'x-amz-security-token': 'token',
    'x-amz-content-sha256': '87f218ddd59a5cc198102b5053597d3cd779f66622b3720c86f83d1b7932b9cb',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKID/20260501/eu-central-1/execute-api/aws4_request, ' +
      'SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token, ' +
      'Signature=4e7bbc32aa0426897c2394f2bcb780f4106149eaa2250a6a6b8414bae17d71df',
  });
});
