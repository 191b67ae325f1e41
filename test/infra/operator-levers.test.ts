import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { propertiesOf, resource, templatesOf } from './synthesize.ts';

const { service, all } = templatesOf('prod');
const page = readFileSync('docs/operations.md', 'utf8');
const settings = resource(service, 'AWS::ApiGatewayV2::Stage', 'ApiStage');

/** Returns the blocks of commands under a heading of the page. */
function blocksOf(heading: string): string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^( *)```sh\n([\s\S]*?)^\1```$/gm)].map(([, , block = '']) => block);
}

/** Runs commands of the page where `aws` shows a stage of the template and writes down what it is told. */
function run(commands: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'operator-levers-'));
  const { DefaultRouteSettings, RouteSettings } = settings;
  writeFileSync(join(folder, 'shown.json'), JSON.stringify({ DefaultRouteSettings, RouteSettings }));
  writeFileSync(join(folder, 'calls'), '');
  const script = `
    aws() {
      case "$2" in
        get-apis) echo api1 ;;
        get-stage) cat shown.json ;;
        get-alias) echo arn:live ;;
        list-rule-names-by-target) echo rule1 ;;
        list-event-source-mappings)
          [[ $* == *:sqs:* ]] && printf 'queue1\\tqueue2\\n' || echo reader ;;
        *) echo "$*" | tr -d '\\n' >> calls; echo >> calls ;;
      esac
    }
    P=partner-integration-prod
    ${commands}`;
  const { stderr } = spawnSync('bash', ['-euo', 'pipefail'], {
    cwd: folder,
    input: script,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  expect(stderr).toBe('');
  return readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
}

/** Returns the settings that a call of update-stage gives to the stage. */
function givenBy(call = ''): { DefaultRouteSettings: object; RouteSettings: Record<string, object> } {
  return JSON.parse(call.slice(call.indexOf('{')));
}

it('to stop writes closes every route, also those with limits of their own, the schedule and each queue, then the readers, and gives all back', () => {
  const blocks = blocksOf('Stop writes');
  const [first = ''] = blocks;
  expect(run(first).join()).not.toContain('reader');
  const [closed, rule, ...others] = run(blocks.join(''));
  const none = { ThrottlingRateLimit: 0, ThrottlingBurstLimit: 0 };
  expect(givenBy(closed).DefaultRouteSettings).toEqual(none);
  expect(Object.keys(givenBy(closed).RouteSettings)).toEqual(Object.keys(settings.RouteSettings));
  for (const given of Object.values(givenBy(closed).RouteSettings)) expect(given).toEqual(none);
  expect(rule).toBe('events disable-rule --name rule1');
  const opened = others.pop();
  expect(givenBy(opened)).toEqual({
    DefaultRouteSettings: settings.DefaultRouteSettings,
    RouteSettings: settings.RouteSettings,
  });
  expect(others.map((call) => call.replace('lambda update-event-source-mapping --uuid ', ''))).toEqual([
    'queue1 --no-enabled',
    'queue2 --no-enabled',
    'reader --no-enabled',
    'queue1 --enabled',
    'queue2 --enabled',
    'reader --enabled',
    'events enable-rule --name rule1',
  ]);
});

it('the levers against a flood name a route, a function and an access log that the stage has', () => {
  const commands = blocksOf('A flood').join('');
  const routes = propertiesOf(all, 'AWS::ApiGatewayV2::Route').map(({ RouteKey }) => RouteKey);
  const named = [...commands.matchAll(/'\{?"?((?:GET|POST) [^'"]+)['"]/g)].map(([, key]) => key);
  expect(named).toEqual(['GET /promos', 'GET /promos']);
  expect(routes).toContain('GET /promos');
  // Deleting the settings of a route must not delete limits that the template gives it.
  expect(Object.keys(settings.RouteSettings)).not.toContain('GET /promos');
  const functions = [...commands.matchAll(/--function-name \$P-(\w+)/g)].map(([, id = '']) => id);
  expect(functions).toEqual(['GetPromotion', 'GetPromotion']);
  expect(Object.keys(all.findResources('AWS::Lambda::Function'))).toContain('GetPromotion');
  const logs = propertiesOf(service, 'AWS::Logs::LogGroup').map(({ LogGroupName }) => LogGroupName);
  expect(commands).toContain('--log-group-name /aws/vendedlogs/apigateway/$P-api');
  expect(logs).toContain('/aws/vendedlogs/apigateway/partner-integration-prod-api');
});
