import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { testPorts } from '../../support/cli-ports.ts';

describe('completion', () => {
  it.each([
    ['bash', 'complete -F _graphwarden graphwarden'],
    ['zsh', '#compdef graphwarden'],
    ['fish', 'complete -c graphwarden'],
  ])('prints the script for %s', async (shell, line) => {
    const ports = testPorts();
    expect(await runCli(['completion', shell], commands, ports)).toBe(0);
    expect(ports.stdout.text()).toContain(line);
  });

  it('rejects an unknown shell and lists the known ones', async () => {
    const ports = testPorts();
    expect(await runCli(['completion', 'tcsh'], commands, ports)).toBe(2);
    expect(ports.stderr.text()).toContain("unknown shell 'tcsh': one of bash, zsh, fish");
  });
});
