import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands/all.ts';
import { completionScript, shells } from '../../src/cli/completion-scripts.ts';

const hasBash = spawnSync('bash', ['--version']).status === 0;

/** Candidates that bash offers for a command line; the last word is the one to complete. */
function complete(...words: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'completion-'));
  writeFileSync(join(folder, 'graphwarden.yml'), '');
  const program = `${completionScript('bash', commands)}
COMP_WORDS=(graphwarden "$@")
COMP_CWORD=$#
_graphwarden
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['-c', program, 'bash', ...words], { cwd: folder, encoding: 'utf8' });
  return out.split('\n').filter((line) => line !== '');
}

describe.skipIf(!hasBash)('bash completion', () => {
  it.each<[readonly string[], readonly string[]]>([
    [['tra'], ['transitions']],
    [['check'], ['check-config']],
    [
      ['guard', 're'],
      ['resume', 'reset-breaker', 'record', 'replay'],
    ],
    [
      ['silence', ''],
      ['add', 'list', 'end'],
    ],
    [
      ['transitions', '--s'],
      ['--since', '--service', '--state-dir'],
    ],
    [['--con'], ['--config']],
    [['run', '--config', ''], ['graphwarden.yml']],
    [['check-config', 'graph'], ['graphwarden.yml']],
    [['alerts', '--severity', 'w'], ['warning']],
    [['demo', '--scenario', 'flap'], ['flapping']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['help', 'guard', 'pa'], ['pause']],
    [['transitions', '--service', ''], []],
    [['nonsense', ''], []],
  ])('of %j offers %j', (words, expected) => {
    expect(complete(...words)).toEqual(expected);
  });

  it('offers each first word of the commands', () => {
    const first = new Set(commands.map(({ name }) => name.split(' ')[0]));
    expect(complete('')).toEqual([...first]);
  });
});

describe.each(shells)('script for %s', (shell) => {
  it('names each command and option', () => {
    const script = completionScript(shell, commands);
    for (const { name, flags } of commands) {
      for (const word of name.split(' ')) expect(script).toContain(word);
      for (const flag of flags) expect(script).toContain(flag.name);
    }
  });

  it('is valid for an installed shell', () => {
    if (spawnSync(shell, ['--version']).status !== 0) return;
    expect(spawnSync(shell, ['-n'], { input: completionScript(shell, commands) }).status).toBe(0);
  });
});
