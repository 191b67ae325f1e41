import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type Domain, type Stage, type StageConfig, stageConfig } from '../../infra/config.ts';
import { newApp } from '../../infra/new-app.ts';
import { defineStacks } from '../../infra/stacks.ts';

const stubBundle = join(import.meta.dirname, 'stub-bundle');

export const domain: Domain = {
  name: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/8f4e',
};
export const truststore = { bucket: 'example-truststore', key: 'clients.pem', version: 'v7' };

export type DefinedApp = { app: App } & ReturnType<typeof defineStacks>;

/** Defines the app as it is deployed, but with a stub in place of every bundle, so that nothing needs to be built. */
export function defineApp(
  stage: Stage,
  {
    changed = {},
    validated = false,
  }: { changed?: Partial<StageConfig> | undefined; validated?: boolean } = {},
): DefinedApp {
  const app = newApp(mkdtempSync(join(tmpdir(), `infra-${stage}-`)), { validated });
  return {
    app,
    ...defineStacks(app, { config: { ...stageConfig(stage), ...changed }, codeFolder: () => stubBundle }),
  };
}

/** The part of a template that tests read, also for all stacks with functions together. */
export type Resources = Pick<Template, 'findResources'>;

/** Returns the properties of all resources of a type. */
export function propertiesOf(template: Resources, type: string) {
  return Object.values(template.findResources(type)).map(({ Properties }) => Properties);
}

/** Returns the properties of the resource of a type with this id. */
export function resource(template: Resources, type: string, id: string) {
  const found = template.findResources(type)[id];
  if (!found) throw new Error(`There is no ${type} with the id ${id}.`);
  return found['Properties'];
}

/** Returns the environment variables of a function. */
export function variablesOf(template: Resources, functionId: string) {
  return resource(template, 'AWS::Lambda::Function', functionId).Environment.Variables;
}

type Templates = {
  data: Template;
  service: Template;
  selfService: Template;
  /** The stack of the simulated wallet platform, on stages that have one. */
  sandbox?: Template;
  all: Resources;
};

/** Tests do not change these, so the files that run in one process share them. */
const apps = new Map<Stage, DefinedApp>();
const templates = new Map<Stage, Templates>();

/** Returns the app of a stage, for tests that do not add to it. */
export function appOf(stage: Stage): DefinedApp {
  const defined = apps.get(stage) ?? defineApp(stage);
  apps.set(stage, defined);
  return defined;
}

export function templatesOf(stage: Stage): Templates {
  const { app: _app, ...stacks } = appOf(stage);
  const made = templates.get(stage) ?? asTemplates(stacks);
  templates.set(stage, made);
  return made;
}

export function asTemplates(stacks: Omit<DefinedApp, 'app'>): Templates {
  const data = Template.fromStack(stacks.data);
  const service = Template.fromStack(stacks.service);
  const selfService = Template.fromStack(stacks.selfService);
  const sandbox = stacks.sandbox && Template.fromStack(stacks.sandbox);
  const all: Resources = {
    findResources: (type) => ({
      ...service.findResources(type),
      ...selfService.findResources(type),
      ...sandbox?.findResources(type),
    }),
  };
  return { data, service, selfService, ...(sandbox ? { sandbox } : {}), all };
}

/** Versions of this function never serve side by side; docs/adr/0023-the-console.md says why. */
export const switchedAtOnce = 'ServeConsole';

/** Returns the function behind the alias `live`, by which all functions but the console's are called outside dev. */
export function functionBehind(reference: unknown): string {
  if (JSON.stringify(reference).includes(`"${switchedAtOnce}"`)) return switchedAtOnce;
  const alias = /"Ref":"([A-Za-z]+)Live"/.exec(JSON.stringify(reference))?.[1];
  if (!alias) throw new Error(`${JSON.stringify(reference)} is not the alias of a function.`);
  return alias;
}

/** Returns the acknowledgements of an app: `at` is the construct of each, `reasons` are the reasons by finding. */
export function acknowledgements(app: App): { at: string; reasons: Record<string, string> }[] {
  return app.node
    .findAll()
    .flatMap(({ node }) => node.metadata.map(({ type, data }) => ({ at: node.id, type, reasons: data })))
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .map(({ at, reasons }) => ({ at, reasons }));
}
