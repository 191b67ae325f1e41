import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const usage = `Generates clients of docs/openapi.json in Java, TypeScript, Python and Go, and compiles each; it sends no request.
check.ts calls every operation, by the client of openapi-typescript with openapi-fetch.

  node test/clients/other-languages.ts [generator ...]     all of them, or those named

Needs, beside \`npm ci --prefix test/clients\`:
  java, typescript-fetch, python, go   Java 17, and the jar of openapi-generator 7.25.0 as OPENAPI_GENERATOR_JAR:
      https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/7.25.0/openapi-generator-cli-7.25.0.jar
  java                                 Maven
  python                               Python 3.11: pip install pydantic python-dateutil urllib3
  go, oapi-codegen                     Go 1.26: go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
  openapi-python-client                pip install openapi-python-client==0.29.1 httpx attrs python-dateutil
`;

const document = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const typeScript = fileURLToPath(new URL('node_modules/.bin/tsc', import.meta.url));
const jar = process.env['OPENAPI_GENERATOR_JAR'] ?? 'openapi-generator-cli.jar';

type Step = [command: string, ...args: string[]];

/** openapi-generator with its defaults; `{out}` is an empty folder. */
function openApiGenerator(generator: string): Step {
  return ['java', '-jar', jar, 'generate', '-i', document, '-g', generator, '-o', '{out}'];
}

// Every module is imported, so that each one's types are built.
const importAll = `
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
names = [m.name for m in pkgutil.walk_packages(package.__path__, package.__name__ + '.')]
for name in names: importlib.import_module(name)
print(len(names), 'modules')`;

const generators: Record<string, Step[]> = {
  java: [openApiGenerator('java'), ['mvn', '-q', '-B', '-DskipTests', 'compile']],
  'typescript-fetch': [
    openApiGenerator('typescript-fetch'),
    [
      typeScript,
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'es2022',
      '--moduleResolution',
      'bundler',
      '--lib',
      'es2022,dom',
      'index.ts',
    ],
  ],
  python: [openApiGenerator('python'), ['python3', '-c', importAll, 'openapi_client']],
  go: [openApiGenerator('go'), ['go', 'mod', 'tidy'], ['go', 'vet', '.']],
  'oapi-codegen': [
    ['oapi-codegen', '-generate', 'types,client', '-package', 'client', '-o', '{out}/client.go', document],
    ['go', 'mod', 'init', 'client'],
    ['go', 'mod', 'tidy'],
    ['go', 'vet', '.'],
  ],
  'openapi-python-client': [
    ['openapi-python-client', 'generate', '--path', document, '--output-path', '{out}/client'],
    [
      'python3',
      '-c',
      `sys_path = __import__('sys').path; sys_path.insert(0, 'client')${importAll}`,
      'partner_integration_service_client',
    ],
  ],
};

/** A generator that writes a file over another one, or leaves out what it does not understand, only warns. */
const bad = /Duplicate file path|WARNING parsing|Unable to parse|will be ignored/i;

function failureOf(steps: Step[], out: string): string | undefined {
  for (const [command, ...args] of steps) {
    const all = args.map((argument) => argument.replace('{out}', out));
    const { error, status, stdout, stderr } = spawnSync(command, all, { cwd: out, encoding: 'utf8' });
    const text = `${stdout}${stderr}`;
    if (error) return `${command}: ${error.message}`;
    if (status !== 0) return `${command} ${all[0]} ended with ${status}\n${text.slice(-2_000)}`;
    const warned = text.split('\n').find((line) => bad.test(line));
    if (warned) return warned;
  }
  return undefined;
}

function generate(names: readonly string[]): boolean {
  const root = mkdtempSync(join(tmpdir(), 'clients-'));
  const failed = names.filter((name) => {
    const out = join(root, name);
    mkdirSync(out);
    const failure = failureOf(generators[name] ?? [], out);
    console.log(`${name}: ${failure ?? 'generated and compiled'}`);
    return failure !== undefined;
  });
  rmSync(root, { recursive: true, force: true });
  return failed.length === 0;
}

const asked = process.argv.slice(2);
if (asked.some((name) => !(name in generators))) console.log(usage);
else process.exitCode = generate(asked.length > 0 ? asked : Object.keys(generators)) ? 0 : 1;
