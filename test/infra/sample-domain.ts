import type { Domain } from '../../infra/config.ts';

export const domain: Domain = {
  name: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/8f4e',
};

export const truststore = { bucket: 'example-truststore', key: 'clients.pem', version: 'v7' };
