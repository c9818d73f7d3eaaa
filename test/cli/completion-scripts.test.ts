import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { completionScript, type Shell, shells } from '../../src/cli/completion-scripts.ts';
import { atEndOfFile } from '../support/live-ports.ts';
import { loadedCommands as commands } from '../support/loaded-commands.ts';
import { findTool } from '../support/tools.ts';

/** Programs that print the candidates of a shell, with the script as $1 and lines as the further arguments. */
const programs: Readonly<Record<Shell, readonly string[]>> = {
  bash: ['bash', '--norc', 'test/cli/completion/candidates.bash'],
  zsh: ['zsh', '-f', 'test/cli/completion/candidates.zsh'],
  fish: ['fish', '--no-config', 'test/cli/completion/candidates.fish'],
};

const atEnd = atEndOfFile();

/** Writes the completion script of a shell into a folder of its own. */
function writtenScript(shell: Shell): { readonly folder: string; readonly script: string } {
  const folder = mkdtempSync(join(tmpdir(), 'completion-'));
  atEnd(() => rm(folder, { recursive: true }));
  const script = join(folder, shell);
  writeFileSync(script, completionScript(shell, commands));
  return { folder, script };
}

/** Returns the sorted candidates of a shell for each command line, of which the last word is the one to complete. */
function complete(shell: Shell, all: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const { folder: others, script } = writtenScript(shell);
  const folder = join(others, 'work');
  mkdirSync(join(folder, 'state'), { recursive: true });
  writeFileSync(join(folder, 'graphwarden.yml'), '');
  const [program = '', ...args] = programs[shell];
  const paths = args.map((arg) => (arg.includes('/') ? join(process.cwd(), arg) : arg));
  const env = { ...process.env, COMPLETION_DUMP: join(others, 'functions') };
  const typed = all.map((line) => `graphwarden ${line}`);
  const output = execFileSync(program, [...paths, script, ...typed], { cwd: folder, encoding: 'utf8', env });
  const parts = output.split(/^=== .*\r?\n/m).slice(1);
  expect(parts).toHaveLength(all.length);
  return new Map(parts.map((part, at) => [all[at] ?? '', candidatesIn(part)]));
}

function candidatesIn(output: string): readonly string[] {
  const found = output.split(/\r?\n/).map((text) =>
    text
      .replace(/^--[a-z-]+=/, '')
      .replace(/\t.*$/, '')
      .replace(/\/$/, ''),
  );
  return [...new Set(found)].filter((text) => text !== '').toSorted();
}

const lines: readonly (readonly [line: string, candidates: readonly string[]])[] = [
  ['', [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))].toSorted()],
  ['tra', ['transitions']],
  ['check-', ['check-config']],
  ['check', ['check-config', 'checks']],
  ['guard re', ['record', 'replay', 'reset-breaker', 'resume']],
  ['silence ', ['add', 'end', 'list']],
  ['transitions --s', ['--service', '--since', '--state-dir']],
  ['transitions --service GPE --cl', ['--cluster']],
  ['transitions --service ', []],
  ['transitions --state-dir ', ['state']],
  ['guard pause --us', ['--user']],
  ['silence add a=b --f', ['--for', '--from']],
  ['--con', ['--config']],
  ['--', ['--config', '--help', '--keep-trying', '--require-config']],
  ['--keep-trying --con', ['--config']],
  ['--config g', ['graphwarden.yml']],
  ['run --config ', ['graphwarden.yml', 'state']],
  ['check-config g', ['graphwarden.yml']],
  ['alerts --severity w', ['warning']],
  ['alerts --severity=w', ['warning']],
  ['demo --scenario flap', ['flapping']],
  ['completion ', ['bash', 'fish', 'zsh']],
  ['help gu', ['guard']],
  ['help guard pa', ['pause']],
  ['version ', []],
  ['nonsense ', []],
];

describe.each(shells)('completion in %s', (shell) => {
  const isInstalled = findTool(shell) !== undefined;

  let offered: ReadonlyMap<string, readonly string[]>;

  beforeAll(() => {
    const typed = lines.map(([line]) => line);
    if (isInstalled) offered = complete(shell, typed);
  });

  it.skipIf(!isInstalled).each(lines)("of 'graphwarden %s' offers %j", (line, candidates) => {
    expect(offered.get(line)).toEqual(candidates);
  });

  it.skipIf(!isInstalled)('is a script without syntax errors', () => {
    const { script } = writtenScript(shell);
    expect(spawnSync(shell, ['-n', script], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  it('names each command and option', () => {
    const script = completionScript(shell, commands);
    for (const { name, flags } of commands) {
      for (const word of name.split(' ')) expect(script).toContain(word);
      for (const flag of flags) expect(script).toContain(flag.name);
    }
  });
});
