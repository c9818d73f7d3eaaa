import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli } from '../src/cli/cli.ts';
import { exitCode } from '../src/cli/command.ts';
import { testPorts } from './support/cli-ports.ts';
import { type CodeBlock, codeBlocks, documents } from './support/guide.ts';
import { listed, loadedCommands } from './support/loaded-commands.ts';

const cluster = 'test/cluster/guide.test.ts';
const packages = 'test/examples/packaging/packages.test.ts';
const systemd = 'test/examples/packaging/systemd.test.ts';
const container = 'test/image/guide.ts';
const operation = 'test/e2e/guides.test.ts';
const files = 'test/e2e/guide-files.test.ts';
const replicas = 'test/e2e/guide-replicas.test.ts';
const ci = '.ci/run';

/** Which test runs the commands of a chapter. */
const runs: readonly (readonly [guide: string, chapter: string, test: string])[] = [
  ['CONTRIBUTING.md', 'Set up and check', ci],
  ['README.md', 'Quick start in a checkout', 'test/e2e/package.test.ts'],
  ['README.md', 'Dashboards, rules and traces', 'test/e2e/examples.test.ts'],
  ['docs/dashboards.md', 'Import the dashboards', cluster],
  ['docs/guides/high-availability.md', 'Check', replicas],
  ['docs/guides/high-availability.md', 'Operations', replicas],
  ['docs/install.md', 'Debian or RPM package', packages],
  ['docs/install.md', 'Executable', 'test/tools/build/executable.test.ts'],
  ['docs/install.md', 'npm package', 'test/e2e/package.test.ts'],
  ['docs/install.md', 'systemd service', systemd],
  ['docs/install.md', 'Container', container],
  ['docs/install.md', 'Verify a release', 'test/tools/release/signing.test.ts'],
  ['docs/install.md', 'Act as an operator', systemd],
  ['docs/install.md', 'Act as an operator', 'test/e2e/guide-operators.test.ts'],
  ['docs/install/kubernetes.md', 'One daemon', cluster],
  ['docs/install/kubernetes.md', 'Sidecars', cluster],
  ['docs/install/kubernetes.md', 'Let the guard abort queries', cluster],
  ['docs/install/upgrade.md', 'npm package', systemd],
  ['docs/install/upgrade.md', 'systemd service', systemd],
  ['docs/install/upgrade.md', 'Container', container],
  ['docs/install/upgrade.md', 'Chart', cluster],
  ['docs/install/upgrade.md', 'Chart', 'test/helm/restore-guide.test.ts'],
  ['helm/graphwarden/README.md', 'graphwarden', 'test/helm/guide.test.ts'],
  ['tools/build/package/README.md', 'Try it', 'test/e2e/package.test.ts'],
  ['tools/build/package/README.md', 'Monitor your own cluster', 'test/e2e/package.test.ts'],
];

/** Guides whose commands one test runs, in the order of the guide. */
const wholeGuides: readonly (readonly [guide: string, title: string, test: string])[] = [
  ['README.md', 'graphwarden', operation],
  ['docs/guard.md', 'Query guard', operation],
  ['docs/alerting.md', 'Alerting', operation],
  ['docs/status-page.md', 'Status page', operation],
  ['docs/custom-queries.md', 'Metrics from queries', operation],
  ['docs/opentelemetry.md', 'OpenTelemetry', operation],
  ['docs/rules.md', 'Prometheus rules', files],
  ['docs/performance.md', 'Performance', files],
];

/** Which test loads the other blocks of a language, in the documents with this prefix. */
const otherBlocks: readonly (readonly [language: string, documents: string, test: string])[] = [
  ['yaml', 'docs/guides/receivers.md', 'test/recipes/recipes.test.ts'],
  ['yaml', 'docs/install/kubernetes.md', 'test/helm/guide.test.ts'],
  ['yaml', '', files],
  ['promql', '', files],
  ['sql', 'docs/guides/high-availability.md', replicas],
  ['bash', 'docs/guard.md', 'test/e2e/guard-saved-lists.test.ts'],
  // The settings of oauth2-proxy are used by test/e2e/guide-operators.test.ts.
  ['ini', 'docs/install.md', systemd],
  ['json', 'docs/api.md', 'test/tools/generate/api-reference.test.ts'],
  ['ts', 'CONTRIBUTING.md', 'test/contributing.test.ts'],
  // Trees, tables and output of commands.
  ['text', '', 'test/guides.test.ts'],
];

/** Blocks for programs that the tests do not have. */
const notRun: readonly (readonly [document: string, language: string, begin: RegExp, reason: string])[] = [
  ['docs/probes.md', 'gsql', /^USE GRAPH/, 'only the database has GSQL'],
  ['docs/dashboards.md', 'yaml', /^apiVersion: 1\nproviders:/, 'no test has Grafana'],
];

const blocks = documents.flatMap(codeBlocks);

function isRun({ path, chapter, language, code }: CodeBlock): boolean {
  if (notRun.some(([document, kind, begin]) => document === path && kind === language && begin.test(code))) return true;
  if (language !== 'sh') return otherBlocks.some(([kind, prefix]) => kind === language && path.startsWith(prefix));
  // The reference of the commands: a test below parses each of its lines.
  if (path === 'docs/commands.md') return true;
  const isWhole = wholeGuides.some(([guide]) => guide === path);
  return isWhole || runs.some(([guide, title]) => guide === path && title === chapter);
}

describe('the documents', () => {
  it('have no code block that no test runs', () => {
    const others = blocks.filter((block) => !isRun(block));
    expect(others.map(({ path, chapter, language }) => `${path}, ${chapter}: ${language}`)).toEqual([]);
  });

  it('have no command in a block of output', () => {
    const outputs = blocks.filter(({ language }) => language === 'text').flatMap(({ code }) => code.split('\n'));
    expect(
      outputs.filter((line) => /^(?:\$ |cosign|curl|docker|graphwarden|helm|kubectl|npm|sha\d+sum) /.test(line)),
    ).toEqual([]);
  });

  it.each(wholeGuides)('%s, from its title %s on, is run by %s', (guide, title, test) => {
    expect(readFileSync(guide, 'utf8').startsWith(`# ${title}\n`)).toBe(true);
    const source = readFileSync(test, 'utf8');
    expect(source).toContain(`'${guide}'`);
    expect(source).toContain(`'${title}'`);
  });

  it.each(runs.filter(([, , test]) => test !== ci))('%s, chapter %s, is run by %s', (guide, chapter, test) => {
    const source = readFileSync(test, 'utf8');
    const isPackaged = guide.startsWith('tools/build/package/');
    expect(source).toContain(isPackaged ? "'README.md'" : guide);
    expect(source).toContain(`'${chapter}'`);
    expect(blocks.some((block) => block.path === guide && block.chapter === chapter)).toBe(true);
  });

  it.each([...otherBlocks, ...notRun.map(([document, language]) => [language, document, ''] as const)])(
    'have blocks of the language %s in %s',
    (language, prefix) => {
      expect(blocks.some((block) => block.language === language && block.path.startsWith(prefix))).toBe(true);
    },
  );

  it('CI runs the commands that set up a checkout', () => {
    const script = readFileSync(ci, 'utf8');
    const lines = blocks.filter(({ path }) => path === 'CONTRIBUTING.md').flatMap(({ code }) => code.split('\n'));
    const commands = lines.filter((line) => line.startsWith('npm '));
    expect(commands).toEqual(['npm ci', 'npm test']);
    for (const command of commands) expect(script).toContain(command);
  });
});

const names = new Set(loadedCommands.map(({ name }) => name));

/** Calls of the program in the blocks, sentences and tables of a document, in one line each. */
function callsIn(path: string): readonly string[] {
  const scripts = codeBlocks(path).filter(({ language }) => ['sh', 'bash'].includes(language));
  const lines = scripts.flatMap(({ code }) => code.replaceAll('\\\n', ' ').split('\n'));
  const text = readFileSync(path, 'utf8').replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
  const spans = [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll(/\s+/g, ' '));
  const call = /(?:^|[;&|$(] *|\bgraphwarden |-- )(?:\.\/)?graphwarden((?: [^;&|#>)]+)?)/g;
  const all = [...lines, ...spans].flatMap((line) => [...line.matchAll(call)].map(([, args = '']) => args.trim()));
  return all.filter((args) => !names.has(args) && !/\[OPTIONS\]|^help COMMAND$/.test(args));
}

describe('the commands of graphwarden in the documents', () => {
  const accepting = loadedCommands.map((command) => listed({ ...command, run: async () => exitCode.ok }));
  const calls = documents
    .filter((path) => path !== 'CHANGELOG.md')
    .flatMap((path) => callsIn(path).map((args) => ({ path, args })));

  it('are many', () => {
    expect(calls.length).toBeGreaterThan(300);
  });

  it('have existing names, options and arguments', async () => {
    const problems: string[] = [];
    for (const { path, args } of calls) {
      const words = [...args.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, ...parts]) => parts.join(''));
      const ports = testPorts();
      if ((await runCli(words, accepting, ports)) !== exitCode.ok)
        problems.push(`${path}: ${args}: ${ports.stderr.text()}`);
    }
    expect(problems).toEqual([]);
  });
});
