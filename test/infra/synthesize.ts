import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { configOf, type Stage, type StageConfig } from '../../infra/config.ts';
import { newApp } from '../../infra/new-app.ts';
import { defineStacks } from '../../infra/stacks.ts';

const stubBundle = join(import.meta.dirname, 'stub-bundle');

export type DefinedApp = { app: App } & ReturnType<typeof defineStacks>;

/** The app as deployed, but with a stub in place of every bundle, so that nothing needs to be built before. */
export function defineApp(
  stage: Stage,
  { changed = {}, validated = false }: { changed?: Partial<StageConfig>; validated?: boolean } = {},
): DefinedApp {
  const app = newApp(mkdtempSync(join(tmpdir(), `infra-${stage}-`)), { validated });
  return {
    app,
    ...defineStacks(app, { config: { ...configOf(stage), ...changed }, codeFolder: () => stubBundle }),
  };
}

/** As a test of functions reads the stacks that have some. */
export type Resources = Pick<Template, 'findResources'>;

type Templates = {
  data: Template;
  service: Template;
  selfService: Template;
  webConsole: Template;
  /** Where the wallet platform is simulated. */
  sandbox?: Template;
  all: Resources;
};

/** Tests only look at them, so the files that run in one process share them. */
const apps = new Map<Stage, DefinedApp>();
const templates = new Map<Stage, Templates>();

/** The app of a stage, for tests that add nothing to it. */
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

function asTemplates(stacks: Omit<DefinedApp, 'app'>): Templates {
  const data = Template.fromStack(stacks.data);
  const service = Template.fromStack(stacks.service);
  const selfService = Template.fromStack(stacks.selfService);
  const webConsole = Template.fromStack(stacks.webConsole);
  const sandbox = stacks.sandbox && Template.fromStack(stacks.sandbox);
  const all: Resources = {
    findResources: (type) => ({
      ...service.findResources(type),
      ...selfService.findResources(type),
      ...webConsole.findResources(type),
      ...sandbox?.findResources(type),
    }),
  };
  return { data, service, selfService, webConsole, ...(sandbox ? { sandbox } : {}), all };
}

/** Its versions never serve side by side: docs/adr/0023-the-console.md. */
export const switchedAtOnce = 'ServeConsole';

/** The function that a template calls by its alias `live`: the only way outside dev, but for the console. */
export function functionBehind(reference: unknown): string {
  if (JSON.stringify(reference).includes(`"${switchedAtOnce}"`)) return switchedAtOnce;
  const alias = /"Ref":"([A-Za-z]+)Live"/.exec(JSON.stringify(reference))?.[1];
  if (!alias) throw new Error(`${JSON.stringify(reference)} is not the alias of a function.`);
  return alias;
}

/** The functions that only stages with a simulated wallet platform have. */
export const simulatedWallet = [
  'DeletePhone',
  'GetPhone',
  'GetSandboxReceiver',
  'OpenPhoneMessage',
  'OpenSandboxCheckIn',
  'PutPhone',
  'PutSandboxReceiver',
  'ReportReceipts',
  'ShowMessages',
  'TakeSandboxCallback',
];

/** `at`: the construct it was made on; `reasons`: by what they acknowledge. */
export function acknowledgements(app: App): { at: string; reasons: Record<string, string> }[] {
  return app.node
    .findAll()
    .flatMap(({ node }) => node.metadata.map(({ type, data }) => ({ at: node.id, type, reasons: data })))
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .map(({ at, reasons }) => ({ at, reasons }));
}
