import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { type Domain, stageConfig, stages } from '../../infra/config.ts';
import {
  defineApp,
  domain,
  propertiesOf,
  resource,
  templatesOf,
  truststore,
  variablesOf,
} from './synthesize.ts';

function prodWith(domain: Domain) {
  const { service, selfService } = defineApp('prod', { changed: { domain } });
  return { service: Template.fromStack(service), selfService: Template.fromStack(selfService) };
}

const withDomain = prodWith(domain);
const withTruststore = prodWith({ ...domain, truststore });

function outputsOf(template: Template) {
  return Object.fromEntries(Object.entries(template.findOutputs('*')).map(([id, { Value }]) => [id, Value]));
}

it('no stage has a custom domain in the repository', () => {
  for (const stage of stages) expect(stageConfig(stage).domain, stage).toBeUndefined();
  const template = templatesOf('prod').service;
  template.resourceCountIs('AWS::ApiGatewayV2::DomainName', 0);
  expect(resource(template, 'AWS::ApiGatewayV2::Api', 'Api')).not.toHaveProperty('DisableExecuteApiEndpoint');
  expect(outputsOf(template)).toMatchObject({
    BaseUrl: { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] },
    PushOutboxQueueUrl: { Ref: 'PushOutbox' },
    DeliveryReceiptsQueueUrl: { Ref: 'DeliveryReceipts' },
    WalletRoleArn: { 'Fn::GetAtt': ['WalletPlatform', 'Arn'] },
  });
});

it('with a custom domain the API is served under it, over TLS 1.2, and the outputs say where DNS must point', () => {
  const template = withDomain.service;
  const [name] = propertiesOf(template, 'AWS::ApiGatewayV2::DomainName');
  expect(name).toEqual({
    DomainName: 'api.example.com',
    DomainNameConfigurations: [
      { CertificateArn: domain.certificateArn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
    ],
  });
  const [mapping] = propertiesOf(template, 'AWS::ApiGatewayV2::ApiMapping');
  expect(mapping).toEqual({
    ApiId: { Ref: 'Api' },
    DomainName: { Ref: 'Domain' },
    Stage: '$default',
  });
  expect(outputsOf(template)).toMatchObject({
    BaseUrl: 'https://api.example.com',
    DomainTarget: { 'Fn::GetAtt': ['Domain', 'RegionalDomainName'] },
    DomainTargetHostedZoneId: { 'Fn::GetAtt': ['Domain', 'RegionalHostedZoneId'] },
  });
});

// The stack of the API is deployed first, and CloudFormation takes no export away that another stack still imports.
it('a truststore takes no export away', () => {
  const exportsOf = ({ service }: typeof withDomain) =>
    Object.values(service.findOutputs('*')).flatMap(({ Export }) => Export?.Name ?? []);
  expect(exportsOf(withDomain).length).toBeGreaterThan(2);
  expect(exportsOf(withTruststore)).toEqual(exportsOf(withDomain));
});

it('with a truststore clients need a certificate, and the API has no other name', () => {
  const template = withTruststore.service;
  template.hasResourceProperties('AWS::ApiGatewayV2::DomainName', {
    MutualTlsAuthentication: {
      TruststoreUri: 's3://example-truststore/clients.pem',
      TruststoreVersion: 'v7',
    },
  });
  template.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: true });
});

it('rule 51: the function that sets endpoints knows every name at which the API responds', () => {
  const originsIn = ({ selfService }: { selfService: Template }) =>
    JSON.stringify(variablesOf(selfService, 'PutEndpoint').OWN_ORIGINS);
  const ownName = /^\{"Fn::ImportValue":"partner-integration-prod-service:\w*ApiApiEndpoint\w*"\}$/;
  expect(originsIn(templatesOf('prod'))).toMatch(ownName);
  expect(originsIn(withDomain)).toMatch(
    /"https:\/\/api\.example\.com,",\{"Fn::ImportValue":.*ApiApiEndpoint/,
  );
  expect(originsIn(withTruststore)).toBe('"https://api.example.com"');
});
