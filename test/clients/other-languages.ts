import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService } from '../support/service.ts';
import { document, documented, sampleCalls } from './samples.ts';
import { run, type Step } from './steps.ts';

const usage = `Generates clients of docs/openapi.json in Java, TypeScript, Python and Go, compiles each, and calls every operation
of the local service with its sample event through it. Only the client of openapi-generator's go is not called.

  node test/clients/other-languages.ts [generator ...]     all of them, or those named

Needs, beside \`npm run build\` and \`npm ci --prefix test/clients\`:
  java, typescript-fetch, python, go   Java 17, and the jar of openapi-generator 7.25.0 as OPENAPI_GENERATOR_JAR:
      https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/7.25.0/openapi-generator-cli-7.25.0.jar
  java                                 Maven
  python                               Python 3.11: pip install pydantic python-dateutil urllib3
  go, oapi-codegen                     Go 1.26: go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
  openapi-python-client                pip install openapi-python-client==0.29.1 httpx attrs python-dateutil
`;

const typeScript = fileURLToPath(new URL('node_modules/.bin/tsc', import.meta.url));
const callers = fileURLToPath(new URL('callers', import.meta.url));
const jar = process.env['OPENAPI_GENERATOR_JAR'] ?? 'openapi-generator-cli.jar';

/** openapi-generator with its defaults; `{out}` is an empty folder. */
function openApiGenerator(generator: string): Step {
  return ['java', '-jar', jar, 'generate', '-i', document, '-g', generator, '-o', '{out}'];
}

// Importing every module builds the types in all of them.
const importAll = `
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
names = [m.name for m in pkgutil.walk_packages(package.__path__, package.__name__ + '.')]
for name in names: importlib.import_module(name)
print(len(names), 'modules')`;

type Generator = {
  /** Commands that generate the client and compile it. */
  steps: Step[];
  /** Calls every operation, and prints a line for each: its id and the status it got. */
  call?: Step;
};

const generators: Record<string, Generator> = {
  java: {
    steps: [
      openApiGenerator('java'),
      ['mvn', '-q', '-B', '-DskipTests', 'compile'],
      ['mvn', '-q', '-B', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'],
    ],
    call: [
      'sh',
      '-c',
      `apis=$(ls src/main/java/org/openapitools/client/api | sed 's/[.]java//')
      java -cp "target/classes:$(cat classpath)" ${callers}/Java.java $apis`,
    ],
  },
  'typescript-fetch': {
    steps: [
      openApiGenerator('typescript-fetch'),
      [typeScript, ...'--strict --target es2022 --lib es2022,dom --outDir js'.split(' '), 'index.ts'].concat(
        '--module commonjs --moduleResolution node10'.split(' '),
      ) as Step,
    ],
    call: ['node', `${callers}/typescript-fetch.mjs`, '{out}/js/index.js'],
  },
  python: {
    steps: [openApiGenerator('python'), ['python3', '-c', importAll, 'openapi_client']],
    call: ['env', 'PYTHONPATH=.', 'python3', `${callers}/python.py`],
  },
  go: { steps: [openApiGenerator('go'), ['go', 'mod', 'tidy'], ['go', 'vet', '.']] },
  'oapi-codegen': {
    steps: [
      ['oapi-codegen', '-generate', 'types,client', '-package', 'client', '-o', '{out}/client.go', document],
      ['go', 'mod', 'init', 'client'],
      ['go', 'mod', 'tidy'],
      ['go', 'vet', '.'],
      ['mkdir', 'caller'],
      ['cp', `${callers}/oapi-codegen.go`, 'caller/main.go'],
    ],
    call: ['go', 'run', './caller'],
  },
  'openapi-python-client': {
    steps: [
      ['openapi-python-client', 'generate', '--path', document, '--output-path', '{out}/client'],
      [
        'python3',
        '-c',
        `sys_path = __import__('sys').path; sys_path.insert(0, 'client')${importAll}`,
        'partner_integration_service_client',
      ],
    ],
    call: ['python3', `${callers}/openapi-python-client.py`],
  },
};

/** Messages of generators that only warn when they overwrite a file or leave out what they do not understand. */
const bad = /Duplicate file path|WARNING parsing|Unable to parse|will be ignored/i;

/** A sample may name something that does not exist, or that an earlier client has already redeemed or deleted. */
const understood = ['200', '404', '409'];

/** Throws unless every operation was called, and no request was found malformed or not allowed. */
function assertUnderstood(printed: string): void {
  const statuses = new Map(printed.split('\n').map((line) => line.split(' ', 2) as [string, string]));
  for (const { operationId } of documented) {
    const status = statuses.get(operationId) ?? 'nothing';
    if (!understood.includes(status)) throw new Error(`${operationId} got ${status}\n${printed}`);
  }
}

async function outcomeOf({ steps, call }: Generator, out: string, env: NodeJS.ProcessEnv): Promise<string> {
  for (const step of steps) {
    const warned = (await run(step, out)).split('\n').find((line) => bad.test(line));
    if (warned) throw new Error(warned);
  }
  if (!call) return 'generated and compiled';
  assertUnderstood(await run(call, out, env));
  return `generated, compiled, called all ${documented.length} operations`;
}

async function generate(names: readonly string[]): Promise<boolean> {
  const root = mkdtempSync(join(tmpdir(), 'clients-'));
  const service = await startService();
  const { baseUrl, login, secret } = service.partner;
  const CALLS = join(root, 'calls.json');
  writeFileSync(CALLS, JSON.stringify(sampleCalls()));
  const env = { ...process.env, BASE_URL: baseUrl, LOGIN: login, SECRET: secret, CALLS };
  let failed = false;
  for (const name of names) {
    const out = join(root, name);
    mkdirSync(out);
    const outcome = await outcomeOf(generators[name] ?? { steps: [] }, out, env).catch((error: Error) => {
      failed = true;
      return error.message;
    });
    console.log(`${name}: ${outcome}`);
  }
  await service.stop();
  rmSync(root, { recursive: true, force: true });
  return !failed;
}

const asked = process.argv.slice(2);
if (asked.some((name) => !(name in generators))) console.log(usage);
else process.exit((await generate(asked.length > 0 ? asked : Object.keys(generators))) ? 0 : 1);
