import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { requireTool } from './tools.ts';

/** What the tests use in place of published things and of sudo: the text of a guide, and the text that runs here. */
const substitutes: readonly (readonly [published: string, local: string])[] = [
  ['oci://ghcr.io/graphwarden/charts/graphwarden', resolve('helm/graphwarden')],
  ['npm install --global graphwarden', 'npm install --global ./graphwarden-*.tgz'],
  ['sudo -u graphwarden', 'setpriv --reuid graphwarden --regid graphwarden --clear-groups'],
];

const heading = /^(#+) (.*)$/;

/** Text of a section of a guide, with its subsections. */
function sectionOf(path: string, title: string): string {
  const lines = readFileSync(path, 'utf8').split('\n');
  const begin = lines.findIndex((line) => heading.exec(line)?.[2] === title);
  if (begin === -1) throw new Error(`${path} has no section ${title}`);
  const level = heading.exec(lines[begin] ?? '')?.[1]?.length ?? 0;
  let isCode = false;
  const end = lines.findIndex((line, at) => {
    if (/^ *```/.test(line)) isCode = !isCode;
    return at > begin && !isCode && (heading.exec(line)?.[1]?.length ?? Number.POSITIVE_INFINITY) <= level;
  });
  return lines.slice(begin, end === -1 ? undefined : end).join('\n');
}

/** Documents of the project, with their code blocks. */
export const documents: readonly string[] = globSync([
  '*.md',
  '{dashboards,docs,examples,helm,tools}/**/*.md',
]).toSorted();

/** Code block of a document. */
export interface CodeBlock {
  readonly path: string;
  /** Heading of the first or second level above the block. */
  readonly chapter: string;
  readonly language: string;
  /** Text without the indentation of the block. */
  readonly code: string;
}

/** Returns all code blocks of a document, in their order. */
export function codeBlocks(path: string): readonly CodeBlock[] {
  return blocksIn(path, readFileSync(path, 'utf8'));
}

function blocksIn(path: string, text: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let chapter = '';
  for (const { groups = {} } of text.matchAll(
    /^##? (?<title>.*)$|^(?<indent> *)```(?<language>\w*).*\n(?<code>[\s\S]*?)^ *```$/gm,
  )) {
    const { title, indent = '', language = '', code } = groups;
    if (code === undefined) chapter = title ?? '';
    else blocks.push({ path, chapter, language, code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), '') });
  }
  return blocks;
}

/** Code blocks of a language in a section of a guide and its subsections, with local things for published ones. */
export function guideBlocks(path: string, title: string, language = 'sh'): readonly string[] {
  const blocks = blocksIn(path, sectionOf(path, title)).filter((block) => block.language === language);
  return blocks.map(({ code }) => localized(code));
}

/** Commands of a program in the sentences and tables of a section of a guide. */
export function guideCommands(path: string, title: string, program: RegExp): readonly string[] {
  const text = sectionOf(path, title).replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
  const spans = [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll(/\s+/g, ' '));
  return spans.filter((code) => program.test(code)).map(localized);
}

function localized(code: string): string {
  return substitutes.reduce((text, [published, local]) => text.replaceAll(published, local), code);
}

const ready = 'curl --fail --silent --output /dev/null http://127.0.0.1:9916/-/ready';

/**
 * Shell functions: `wait_for` a command that succeeds; `until_ready` runs a daemon until it is ready, then sends Ctrl-C to
 * its process group. npm and npx themselves end by that signal.
 */
const shellFunctions = `
set -m
wait_for() ( set +x; for _ in $(seq 3000); do "$@" > /dev/null 2>&1 && exit; sleep 0.1; done; echo "never: $*"; exit 1 )
until_ready() { "$@" & daemon=$!; wait_for ${ready}; kill -INT -$daemon; wait $daemon || [[ "$1" = np[mx] ]]; }
`;

/** Script of a block in which each line that starts a daemon ends when the daemon is ready. */
export function endingScript(block: string): string {
  return block.replaceAll(/^((?:\w+=\S+ )*)(?=(?:npx )?\S*graphwarden (?:demo|run)\b)/gm, '$1until_ready ');
}

const isolation = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

/** Where a script runs. */
interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Addresses of the simulated nodes; by default that of the node which `graphwarden init` configures. */
  readonly nodes?: readonly string[];
}

/**
 * Runs a script in a network of its own with simulated nodes and an empty `/run`, and returns its output. It ends with the
 * first command that fails. Requires root.
 */
export function runIsolated(script: string, { cwd, env, nodes = [] }: Place): string {
  const addresses = nodes.map((address) => `ip address add ${address} dev lo`);
  const program = [process.execPath, resolve('test/support/simulated-node.ts'), ...nodes, '&'].join(' ');
  const listening = (nodes.length === 0 ? ['127.0.0.1'] : nodes).map(
    (address) => `wait_for bash -c ': < /dev/tcp/${address}/14240'`,
  );
  const prepared = ['exec 2>&1', 'ip link set lo up', 'mount -t tmpfs tmpfs /run', ...addresses, program];
  const text = [...prepared, shellFunctions, ...listening, 'set -x', script].join('\n');
  const args = [...isolation, 'bash', '-euo', 'pipefail', '-c', text];
  const options = { cwd, env, encoding: 'utf8', timeout: 580_000 } as const;
  const { status, stdout } = spawnSync(requireTool('unshare'), args, options);
  if (status !== 0) throw new Error(stdout);
  return stdout;
}
