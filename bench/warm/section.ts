import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { borrowEngines } from '../../local/invoke/borrow-engines.ts';
import { account } from '../../local/template/account.ts';
import { bundleBare } from '../bare/bundle-bare.ts';
import { type BuiltService, onBuiltService } from '../built-service.ts';
import type { Figure, Section } from '../section.ts';
import { measureScene } from './measure-scene.ts';
import { partnerScenes } from './partner-scenes.ts';
import { pushScenes } from './push-scenes.ts';
import { restore, stateOf } from './table-state.ts';
import { walletScenes } from './wallet-scenes.ts';

const scenes = [...partnerScenes, ...pushScenes, ...walletScenes];

async function run(say: (progress: string) => void, { model, folder }: BuiltService): Promise<Figure[]> {
  const engines = await borrowEngines(folder, model);
  const dynamodb = new DynamoDBClient({
    endpoint: engines.dynamodb,
    region: account.region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  try {
    const marshallOptions = { removeUndefinedValues: true };
    const table = {
      client: DynamoDBDocumentClient.from(dynamodb, { marshallOptions }),
      name: model.tables[0]?.name ?? '',
    };
    const bareFolder = await bundleBare('same-calls', folder, 'ours');
    const partnersOnly = await stateOf(table);
    const figures: Figure[] = [];
    for (const scene of scenes) {
      say(scene.what);
      const fn = model.functions.find(({ logicalId }) => logicalId === scene.functionId);
      if (!fn) throw new Error(`there is no function ${scene.functionId}`);
      await restore(table, partnersOnly);
      figures.push(...(await measureScene({ table, engines, fn, bareFolder }, scene)));
    }
    return figures;
  } finally {
    dynamodb.destroy();
    await engines.giveBack();
  }
}

export const warmSection: Section = {
  name: 'warm',
  about: 'CPU and wall time of each endpoint, against a bare handler that makes the same table calls',
  run: (say) => onBuiltService((service) => run(say, service)),
};
