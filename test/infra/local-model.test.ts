import { expect, it } from 'vitest';
import { type Stage, stages } from '../../infra/config.ts';
import { readServiceModel, type ServiceModel } from '../../local/template/service-model.ts';
import { notRunnable } from '../support/runnable.ts';
import { appOf, simulatedWallet, templatesOf } from './synthesize.ts';

/** Returns a stage as the local runner reads it, without the stage in its names. */
function modelOf(stage: Stage): ServiceModel {
  const { directory } = appOf(stage).app.synth();
  return JSON.parse(
    JSON.stringify(readServiceModel(directory)).replaceAll(`partner-integration-${stage}-`, ''),
  );
}

const dev = modelOf('dev');

function countInDev(type: string): number {
  return Object.keys(templatesOf('dev').all.findResources(type)).length;
}

it.each(['sandbox', 'staging', 'prod'] as const)(
  'the local runner reads %s, with its aliases, as the same service as dev, with a wallet platform or without',
  (stage) => {
    const absent = stage === 'sandbox' ? [] : simulatedWallet;
    const model = modelOf(stage);
    expect(dev.api.routes).toHaveLength(countInDev('AWS::ApiGatewayV2::Route'));
    const routes = dev.api.routes.filter(({ functionName }) => !absent.includes(functionName));
    expect(model.api).toEqual({ ...dev.api, routes });
    expect([...dev.eventSources.queues, ...dev.eventSources.streams]).toHaveLength(
      countInDev('AWS::Lambda::EventSourceMapping'),
    );
    const queues = dev.eventSources.queues.filter(({ functionName }) => !absent.includes(functionName));
    expect(model.eventSources).toEqual({ ...dev.eventSources, queues });
    expect(model.schedules).toEqual([expect.objectContaining({ functionName: 'SweepDue', everyMs: 60_000 })]);
    expect(model.schedules).toEqual(dev.schedules);
    // The queues of device reports are in the stack of the simulated wallet platform.
    const ofWallet = absent.length > 0 ? ['device-reports', 'device-reports-dlq'] : [];
    expect(model.queues).toEqual(dev.queues.filter(({ name }) => !ofWallet.includes(name)));
    expect(model.functions.map(({ name }) => name)).toEqual(
      dev.functions.map(({ name }) => name).filter((name) => !absent.includes(name)),
    );
  },
);

it.each(stages)(
  'the templates of %s have nothing that the local runner would not run as AWS does',
  (stage) => {
    expect(notRunnable(appOf(stage).app.synth().directory)).toEqual([]);
  },
);
