import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { functionIds } from './permissions.ts';
import {
  defineApp,
  functionBehind,
  propertiesOf,
  resource,
  switchedAtOnce,
  templatesOf,
} from './synthesize.ts';

const { all: service } = templatesOf('prod');
const ids = functionIds(service).filter((id) => id !== switchedAtOnce);

it('every function but the console has the alias live, which CodeDeploy moves to the new version', () => {
  const aliases = service.findResources('AWS::Lambda::Alias');
  expect(Object.keys(aliases).sort()).toEqual(ids.map((id) => `${id}Live`).sort());
  for (const id of ids) {
    const alias = resource(service, 'AWS::Lambda::Alias', `${id}Live`);
    expect(alias).toMatchObject({ FunctionName: { Ref: id }, Name: 'live' });
    const versionId = alias.FunctionVersion['Fn::GetAtt'][0];
    expect(resource(service, 'AWS::Lambda::Version', versionId)).toMatchObject({ FunctionName: { Ref: id } });
    expect(aliases[`${id}Live`]?.['UpdatePolicy']).toEqual({
      CodeDeployLambdaAliasUpdate: {
        ApplicationName: { Ref: 'Rollouts' },
        DeploymentGroupName: { Ref: `${id}Rollout` },
      },
    });
  }
});

it('in prod new code gets a tenth of the calls for five minutes, and failures of any function roll it back', () => {
  const groups = service.findResources('AWS::CodeDeploy::DeploymentGroup');
  expect(Object.keys(groups).sort()).toEqual(ids.map((id) => `${id}Rollout`).sort());
  for (const id of ids) {
    const properties = resource(service, 'AWS::CodeDeploy::DeploymentGroup', `${id}Rollout`);
    // From another stack, the alarm is named by the export of the service's stack.
    expect(JSON.stringify(properties.AlarmConfiguration.Alarms), id).toContain('Rollback');
    expect(properties).toEqual({
      ApplicationName: { Ref: 'Rollouts' },
      DeploymentGroupName: id,
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      DeploymentStyle: { DeploymentOption: 'WITH_TRAFFIC_CONTROL', DeploymentType: 'BLUE_GREEN' },
      ServiceRoleArn: { 'Fn::GetAtt': ['RolloutRole', 'Arn'] },
      AlarmConfiguration: { Alarms: [{ Name: expect.anything() }], Enabled: true },
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
      },
    });
  }
});

it('staging has the same machinery and shifts all at once; dev has none of it', () => {
  const staging = templatesOf('staging');
  for (const template of [staging.service, staging.selfService]) {
    template.allResourcesProperties('AWS::CodeDeploy::DeploymentGroup', {
      DeploymentConfigName: 'CodeDeployDefault.LambdaAllAtOnce',
    });
  }
  expect(Object.keys(staging.all.findResources('AWS::Lambda::Alias'))).toHaveLength(ids.length);
  for (const type of ['AWS::Lambda::Alias', 'AWS::Lambda::Version', 'AWS::CodeDeploy::DeploymentGroup']) {
    expect(templatesOf('dev').all.findResources(type), type).toEqual({});
  }
});

it('routes, the authorizer, mappings and the schedule invoke every function by its alias, and the console itself', () => {
  const called = [
    ...propertiesOf(service, 'AWS::ApiGatewayV2::Integration').map(({ IntegrationUri }) => IntegrationUri),
    ...propertiesOf(service, 'AWS::ApiGatewayV2::Authorizer').map(({ AuthorizerUri }) => AuthorizerUri),
    ...propertiesOf(service, 'AWS::Lambda::EventSourceMapping').map(({ FunctionName }) => FunctionName),
    ...propertiesOf(service, 'AWS::Events::Rule').flatMap(({ Targets }) =>
      Targets.map(({ Arn }: { Arn: unknown }) => Arn),
    ),
  ];
  expect(called.map(functionBehind).sort()).toEqual([...ids, switchedAtOnce].sort());
});

it('the gateway and the schedule may invoke aliases only, but for the console', () => {
  const permitted = propertiesOf(service, 'AWS::Lambda::Permission')
    .map(({ FunctionName }) => FunctionName)
    .filter((name) => functionBehind(name) !== switchedAtOnce);
  expect(permitted.length).toBeGreaterThan(0);
  for (const name of permitted) expect(name).toEqual({ Ref: `${functionBehind(name)}Live` });
});

it('a fix can be deployed while the alarms of the broken code are red', () => {
  const { service: main, selfService } = defineApp('prod', { changed: { ignoreRollbackAlarms: true } });
  for (const stack of [main, selfService]) {
    Template.fromStack(stack).allResourcesProperties('AWS::CodeDeploy::DeploymentGroup', {
      AlarmConfiguration: { Enabled: false },
    });
  }
});
