const unsigned = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=test/20260520/eu-central-1/any/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20260520T120000Z',
};

/** How clients of tests call the shared engines. */
export const engineAccess = {
  region: 'eu-central-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  /** The engines look for a signature and do not check it: making one is a quarter of what a call costs the client. */
  signer: {
    sign: async <Request extends { headers: Record<string, string> }>(request: Request): Promise<Request> => {
      Object.assign(request.headers, unsigned);
      return request;
    },
  },
};
