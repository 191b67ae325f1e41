import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { configOf, type Stage, type StageConfig } from '../../infra/config.ts';
import { newApp } from '../../infra/new-app.ts';
import { defineStacks } from '../../infra/stacks.ts';

const stubBundle = join(import.meta.dirname, 'stub-bundle');

/** The app as deployed, but with a stub in place of every bundle, so that nothing needs to be built before. */
export function defineApp(
  stage: Stage,
  changed: Partial<StageConfig> = {},
): { app: App } & ReturnType<typeof defineStacks> {
  const app = newApp(mkdtempSync(join(tmpdir(), `infra-${stage}-`)));
  return {
    app,
    ...defineStacks(app, { config: { ...configOf(stage), ...changed }, codeFolder: () => stubBundle }),
  };
}

export type Templates = { data: Template; service: Template };

const made = new Map<Stage, Templates>();

/** The templates of a stage, synthesized once in a test file. */
export function templatesOf(stage: Stage): Templates {
  let templates = made.get(stage);
  if (!templates) {
    const { data, service } = defineApp(stage);
    templates = { data: Template.fromStack(data), service: Template.fromStack(service) };
    made.set(stage, templates);
  }
  return templates;
}

/** The function that a template calls by its alias `live`: the only way outside dev. */
export function functionBehind(reference: unknown): string {
  const alias = /"Ref":"([A-Za-z]+)Live"/.exec(JSON.stringify(reference))?.[1];
  if (!alias) throw new Error(`${JSON.stringify(reference)} is not the alias of a function.`);
  return alias;
}
