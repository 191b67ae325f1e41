import { expect, it } from 'vitest';
import { templatesOf } from './synthesize.ts';

// SAM CLI reads the following from a synthesized template when it runs functions (`sam local invoke`) and their API
// (`sam local start-api`). docs/invoking.md has the commands.

const { all: template } = templatesOf('dev');
const functions = Object.entries(template.findResources('AWS::Lambda::Function'));

function propertiesOf(type: string) {
  return Object.values(template.findResources(type)).map(({ Properties }) => Properties);
}

it('every function declares the variables that the environment file replaces, NODE_OPTIONS among them', () => {
  for (const [id, { Properties }] of functions) {
    const { Variables } = Properties.Environment;
    expect(Object.keys(Variables), id).toEqual(expect.arrayContaining(['NODE_OPTIONS', 'TABLE_NAME']));
    // Another stack exports this value, and SAM CLI cannot look up exports.
    expect(Variables.TABLE_NAME['Fn::If']?.at(-1), id).toEqual({ 'Fn::ImportValue': expect.any(String) });
  }
});

it('the API is an HTTP API whose routes lead to functions in payload format 2.0', () => {
  expect(propertiesOf('AWS::ApiGatewayV2::Api')).toMatchObject([{ ProtocolType: 'HTTP' }]);
  const ids = functions.map(([id]) => id);
  const integrations = template.findResources('AWS::ApiGatewayV2::Integration');
  for (const { RouteKey, ApiId, Target } of propertiesOf('AWS::ApiGatewayV2::Route')) {
    expect(RouteKey).toMatch(/^(\$default|(GET|HEAD|POST|PUT|DELETE) \/[^ ]*)$/);
    // Self-service and the console name the API by its export, which `sam local start-api` cannot look up.
    expect(JSON.stringify(ApiId)).toMatch(/^\{"(Ref":"Api"|Fn::ImportValue":"[^"]+RefApi[^"]+")\}$/);
    expect(Target).toEqual({ 'Fn::Join': ['', ['integrations/', { Ref: expect.any(String) }]] });
    const { Properties } = integrations[Target['Fn::Join'][1][1].Ref] ?? {};
    expect(Properties).toMatchObject({
      IntegrationType: 'AWS_PROXY',
      PayloadFormatVersion: '2.0',
      IntegrationUri: { 'Fn::GetAtt': [expect.any(String), 'Arn'] },
    });
    expect(ids).toContain(Properties?.IntegrationUri['Fn::GetAtt'][0]);
  }
});
