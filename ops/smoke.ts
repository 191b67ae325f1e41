import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { certifiedFetch } from './smoke/certified-fetch.ts';
import { help, readSmokeCommand, type SmokeOptions } from './smoke/command-line.ts';
import { localPartner } from './smoke/local-endpoints.ts';
import { runSmoke, type SmokeCast } from './smoke/run-smoke.ts';
import { signForIam } from './smoke/sign-for-iam.ts';

function castOf({ stage, stateDir }: SmokeOptions): SmokeCast | undefined {
  if (stage) {
    const { region, certificate, ...partner } = stage;
    const way = {
      baseUrl: stage.baseUrl,
      ...(certificate ? { fetch: certifiedFetch(certificate) } : {}),
    };
    const signed = region ? { sign: signForIam(region, defaultProvider()) } : {};
    return { partner: { ...partner, ...way }, wallet: { ...way, ...signed } };
  }
  const partner = localPartner(stateDir);
  return partner && { partner, wallet: { baseUrl: partner.baseUrl } };
}

async function smoke(options: SmokeOptions): Promise<0 | 1> {
  const cast = castOf(options);
  if (cast) {
    console.log(`Smoke test of ${cast.partner.baseUrl}`);
    return runSmoke(cast, { ...options, print: console.log });
  }
  console.error(
    `The service does not run on ${options.stateDir}: begin it with npm start, or name another with --base-url.`,
  );
  return 1;
}

const command = readSmokeCommand(process.argv.slice(2), process.env);
switch (command.kind) {
  case 'help':
    console.log(help);
    break;
  case 'mistake':
    console.error(command.sentence);
    process.exitCode = 2;
    break;
  case 'smoke':
    process.exitCode = await smoke(command.options);
}
