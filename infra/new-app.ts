import { App } from 'aws-cdk-lib';
import cdkSettings from '../cdk.json' with { type: 'json' };

/** The app with the settings every synthesis shares: by the CDK CLI, by this program alone, by a test. */
export function newApp(outdir: string): App {
  return new App({
    outdir,
    analyticsReporting: false,
    // The CLI passes cdk.json's context on; without it the same must come from here.
    context: cdkSettings.context,
    // `sam local` and the local runner find a function's code and name by this metadata.
    postCliContext: { 'aws:cdk:enable-asset-metadata': true, 'aws:cdk:enable-path-metadata': true },
  });
}
