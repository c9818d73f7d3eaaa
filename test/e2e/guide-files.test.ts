import { spawnSync } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { hashSync } from 'bcryptjs';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { runCli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/all.ts';
import { helm, rendering } from '../helm/chart.ts';
import { selfSigned } from '../support/certificates.ts';
import { type CodeBlock, codeBlocks, documents, guideBlocks } from '../support/guide.ts';
import { livePorts, temporaryFolder } from '../support/live-ports.ts';
import { findTool } from '../support/tools.ts';
import { otelcol } from './otelcol.ts';

/** Documents whose configurations another test loads. */
const elsewhere: readonly string[] = ['docs/guides/receivers.md', 'docs/install/kubernetes.md'];

/** Clusters that a section of a configuration needs: those in its matchers, or one. */
function clustersFor(section: string): readonly object[] {
  const names = /cluster_name=~?"([^"]+)"/.exec(section)?.[1] ?? 'prod';
  return names.split('|').map((name) => ({ name, nodes: [{ name: 'm1', url: `http://${name}-m1:14240` }] }));
}

const checked = z.object({
  valid: z.boolean(),
  problems: z.array(z.object({ path: z.string(), message: z.string() })),
  warnings: z.array(z.object({ path: z.string(), message: z.string() })),
});

/** Files that `web.yml` names. */
function certificate(): Readonly<Record<string, string>> {
  const { cert, key } = selfSigned('warden.example.org');
  return { 'warden.crt': cert, 'warden.key': key };
}

/** Runs `check-config` on a configuration, or on one of its sections, and returns its problems and warnings. */
async function ownProblems(config: string, webConfig: string): Promise<readonly string[]> {
  const folder = await temporaryFolder();
  const isComplete = /^clusters:/m.test(config);
  const usesWeb = /^web_config_file:/m.test(config);
  const passwords = webConfig.replaceAll('$2y$10$…', () => hashSync('right', 10));
  const files = {
    'graphwarden.yml': isComplete ? config : `${config}${stringify({ clusters: clustersFor(config) })}`,
    ...(usesWeb ? { 'web.yml': passwords, ...certificate() } : {}),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const ports = livePorts();
  await runCli(['check-config', '--json', join(folder, 'graphwarden.yml')], commands, ports);
  const { valid, problems, warnings } = checked.parse(JSON.parse(ports.stdout.text()));
  const said = [...problems, ...warnings].map(({ path, message }) => `${path}: ${message}`);
  expect(valid).toBe(problems.length === 0);
  // The secrets of a guide exist on no machine of a test.
  return said.filter((text) => !text.endsWith('_file: names a file that does not exist'));
}

/** Kind of a block: a pattern of its text, the program that checks a file, and what completes the block to such a file. */
interface Kind {
  readonly pattern: RegExp;
  readonly tool: string | undefined;
  readonly args: readonly string[];
  readonly complete?: (code: string) => string;
}

const promtool = findTool('promtool');

function ruleFile(rules: readonly unknown[]): string {
  return stringify({ groups: [{ name: 'example', rules }] });
}

const kinds: readonly Kind[] = [
  { pattern: /^scrape_configs:/m, tool: promtool, args: ['check', 'config'] },
  {
    pattern: /^- alert:/m,
    tool: promtool,
    args: ['check', 'rules'],
    complete: (code) => ruleFile(z.array(z.unknown()).parse(parse(code))),
  },
  {
    pattern: /^apiVersion: [a-z]/m,
    tool: findTool('kubectl-validate'),
    args: ['--version', '1.35', '--local-crds', findTool('crds') ?? ''],
  },
  { pattern: /^ {2}otlp: /m, tool: otelcol, args: ['validate', '--config'] },
];

const expressions: Kind = {
  pattern: /^/,
  tool: promtool,
  args: ['check', 'rules'],
  complete: (code) => ruleFile(code.split('\n').flatMap((expr) => (expr === '' ? [] : [{ record: 'example', expr }]))),
};

/** Writes a block where the rules of Prometheus are, has its program check it, and returns what the program reports. */
async function problemsOf({ tool, args, complete = (code) => code }: Kind, block: CodeBlock): Promise<string> {
  if (tool === undefined) return '';
  const folder = await temporaryFolder();
  await cp('dashboards/rules', join(folder, 'rules'), { recursive: true });
  await writeFile(join(folder, 'block.yaml'), complete(block.code));
  const { status, stdout, stderr } = spawnSync(tool, [...args, 'block.yaml'], { cwd: folder, encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

const blocks = documents.filter((path) => !elsewhere.includes(path)).flatMap(codeBlocks);
const yaml = blocks.filter(({ language }) => language === 'yaml');
const webConfig = yaml.find(({ code }) => code.startsWith('# web.yml'))?.code ?? '';
const isForChart = ({ code }: CodeBlock): boolean => code.startsWith('# values.yaml');
/** Files of Grafana, which the tests do not have. */
const isForGrafana = ({ code }: CodeBlock): boolean => /^providers:/m.test(code);
const kindOf = ({ code }: CodeBlock): Kind | undefined => kinds.find(({ pattern }) => pattern.test(code));

const others = yaml.filter((block) => kindOf(block) !== undefined);
const ofChart = yaml.filter(isForChart);
const own = yaml.filter(
  (block) => ![...others, ...ofChart].includes(block) && !isForGrafana(block) && block.code !== webConfig,
);

it.each(own)('check-config accepts the configuration in $path, $chapter', async ({ code }) => {
  expect(await ownProblems(code, webConfig)).toEqual([]);
});

it.each(others)('the file in $path, $chapter, is valid for its program', async (block) => {
  expect(await problemsOf(kindOf(block) ?? expressions, block)).toBe('');
});

it.each(blocks.filter(({ language }) => language === 'promql'))(
  'Prometheus can parse the expressions in $path, $chapter',
  async (block) => {
    expect(await problemsOf(expressions, block)).toBe('');
  },
);

it.skipIf(helm === undefined).each(ofChart)('the chart accepts the values in $path, $chapter', ({ path, code }) => {
  // The first values of a guide are the basis of the others.
  const basis = ofChart.find((block) => block.path === path)?.code ?? '';
  expect(rendering({ values: { ...parse(basis), ...parse(code) } }).has('Deployment')).toBe(true);
});

it.skipIf(promtool === undefined)('the commands of the guide for rules check and change them', async () => {
  const guide = 'docs/rules.md';
  const folder = await temporaryFolder();
  await cp('dashboards/rules', join(folder, 'rules'), { recursive: true });
  await cp('dashboards/rules', join(folder, 'dashboards', 'rules'), { recursive: true });
  await writeFile(join(folder, 'prometheus.yml'), guideBlocks(guide, 'Load the rules', 'yaml').join(''));
  const script = guideBlocks(guide, 'Prometheus rules').join('');
  const { status, stdout } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringContaining('2 rule files found')]);
  const changed = await readFile(join(folder, 'dashboards', 'rules', 'graphwarden.alerts.yaml'), 'utf8');
  expect(changed).toContain('dashboard_url: https://grafana.example.org/');
});

it.each(guideBlocks('docs/performance.md', 'Performance'))('the benchmark has the options of %s', async (block) => {
  const folder = await temporaryFolder();
  // The measurements take minutes; these options disable all of them.
  const none = `--idle 0 --nodes '' --everything '' --replicas '' --open-pages 0 --browser 0 --probes 0 --alerts ''`;
  const script = block.replace('npm run bench --', `"$NODE" ${resolve('tools/bench/main.ts')}`).trimEnd();
  const env = { ...process.env, NODE: process.execPath };
  const options = { cwd: folder, env, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', `${script} ${none}`], options);
  expect([status, stderr]).toEqual([0, '']);
});
