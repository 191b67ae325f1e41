import { writeFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { bundleFolder } from '../../infra/bundle-paths.ts';
import { configOf } from '../../infra/config.ts';
import { newApp } from '../../infra/new-app.ts';
import { defineStacks } from '../../infra/stacks.ts';
import { monitoringPage, type TemplateJson } from './monitoring-page.ts';

// Into a folder of its own: cdk.out is what the local runner runs.
const app = newApp('dist/docs');
const { service } = defineStacks(app, { config: configOf('prod'), codeFolder: bundleFolder });
const template = Template.fromStack(service).toJSON() as TemplateJson;
writeFileSync(new URL('../monitoring.md', import.meta.url), monitoringPage(template));
console.log('Wrote docs/monitoring.md');
