import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { appOf, templatesOf } from './synthesize.ts';

// SAM CLI reads the following from a synthesized template when it runs functions (`sam local invoke`) and their API
// (`sam local start-api`). docs/invoking.md has the commands.

const { app } = appOf('dev');
const { service, selfService, all: template } = templatesOf('dev');
const functions = Object.entries(template.findResources('AWS::Lambda::Function'));

function propertiesOf(type: string) {
  return Object.values(template.findResources(type)).map(({ Properties }) => Properties);
}

it('every function is found by its name: directly under the stack, with the logical id as its construct id', () => {
  for (const [id, { Metadata, Properties }] of functions) {
    const stacks = { service, 'self-service': selfService };
    const has = (found: typeof service) => id in found.findResources('AWS::Lambda::Function');
    const stack = Object.entries(stacks).find(([, found]) => has(found))?.[0] ?? 'sandbox';
    expect(Metadata['aws:cdk:path'], id).toBe(`partner-integration-dev-${stack}/${id}/Resource`);
    expect(Properties.FunctionName).toBe(`partner-integration-dev-${id}`);
    expect(id).toMatch(/^[A-Z][A-Za-z]+$/);
  }
});

it("every function's code is found: an asset folder beside the template, named in the metadata of its Code", () => {
  const { outdir } = app;
  for (const [id, { Metadata, Properties }] of functions) {
    expect(Metadata['aws:asset:property'], id).toBe('Code');
    expect(existsSync(join(outdir, Metadata['aws:asset:path'], 'index.mjs')), id).toBe(true);
    expect(Properties.PackageType ?? 'Zip').toBe('Zip');
    expect(Properties.Layers).toBeUndefined();
  }
});

it('every function can run in the image of its runtime', () => {
  for (const [, { Properties }] of functions) {
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      Architectures: ['arm64'],
    });
    expect(Properties.Timeout).toBeGreaterThan(0);
    expect(Properties.MemorySize).toBeGreaterThan(0);
  }
});

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

it('the authorizer has the one form that SAM CLI supports for HTTP APIs: a Lambda function, format 2.0, simple responses', () => {
  expect(propertiesOf('AWS::ApiGatewayV2::Authorizer')).toEqual([
    expect.objectContaining({
      ApiId: { Ref: 'Api' },
      Name: 'PartnerAuthorizer',
      AuthorizerType: 'REQUEST',
      AuthorizerPayloadFormatVersion: '2.0',
      EnableSimpleResponses: true,
      IdentitySource: ['$request.header.Authorization'],
    }),
  ]);
  const [{ AuthorizerUri }] = propertiesOf('AWS::ApiGatewayV2::Authorizer') as [{ AuthorizerUri: unknown }];
  expect(JSON.stringify(AuthorizerUri)).toContain(
    ':lambda:path/2015-03-31/functions/",{"Fn::GetAtt":["AuthorizePartner","Arn"]},"/invocations"',
  );
});

it('the stage is the default one, so that paths are the same as in AWS', () => {
  expect(propertiesOf('AWS::ApiGatewayV2::Stage')).toMatchObject([
    { StageName: '$default', ApiId: { Ref: 'Api' } },
  ]);
});
