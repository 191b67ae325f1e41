import { expect, onTestFinished, test } from 'vitest';
import { request } from '../../ops/scenario/client.ts';
import { runNode } from '../support/run-node.ts';
import { startService } from '../support/service.ts';

const advice = 'This runs the demo on a service of its own: npm run demo -- --state none\n';

test.each([
  [{}, 'The callback endpoint of bars is http://127.0.0.1:1024/ (ENABLED), not the simulated partner'],
  [{ simulators: false }, 'The running service has no simulators'],
])(
  'on a service with %j, from which the demo would get no callbacks, it says so before it changes anything',
  async (options, cause) => {
    const service = await startService(options);
    onTestFinished(service.stop);
    await request(service.partner, 'PUT /callbacks/endpoint', { url: 'http://127.0.0.1:1024/', basic: null });
    const { code, err } = await runNode(['ops/demo.ts', '--state', service.stateDir]);
    expect({ code, err }).toEqual({ code: 1, err: `${cause}. ${advice}` });
    expect(await request(service.partner, 'GET /places')).toMatchObject({ body: { places: [] } });
  },
);
