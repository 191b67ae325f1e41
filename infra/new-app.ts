import { App } from 'aws-cdk-lib';
import cdkSettings from '../cdk.json' with { type: 'json' };

/**
 * The app with the settings of every synthesis: by the CDK CLI, by infra/app.ts alone, by a test. `validated: false`
 * leaves out CloudFormation's own rules, two thirds of the time of a synthesis, and `tree.json`, a fifth of the rest,
 * which only viewers of what the CLI made read; cdk-nag always runs.
 */
export function newApp(outdir: string, { validated = true } = {}): App {
  return new App({
    outdir,
    analyticsReporting: false,
    builtinCloudFormationValidation: validated,
    treeMetadata: validated,
    // The CLI passes the context of cdk.json; without the CLI it must come from here.
    context: cdkSettings.context,
    // `sam local` and the local runner find a function's code and name in this metadata.
    postCliContext: { 'aws:cdk:enable-asset-metadata': true, 'aws:cdk:enable-path-metadata': true },
  });
}
