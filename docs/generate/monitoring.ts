import { writeFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { configOf } from '../../infra/config.ts';
import { newApp } from '../../infra/new-app.ts';
import { defineStacks } from '../../infra/stacks.ts';
import { monitoringPage, type TemplateJson } from './monitoring-page.ts';

// Into a folder of its own: cdk.out is what the local runner runs.
const app = newApp('dist/docs');
// The page says nothing about code, so any folder stands for the bundles, which need not be built.
const { service } = defineStacks(app, { config: configOf('prod'), codeFolder: () => import.meta.dirname });
const template = Template.fromStack(service).toJSON() as TemplateJson;
writeFileSync(new URL('../monitoring.md', import.meta.url), monitoringPage(template));
console.log('Wrote docs/monitoring.md');
