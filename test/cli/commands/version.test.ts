import { expect, it } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { testPorts } from '../../support/cli-ports.ts';

it.each(['version', '--version', '-V'])('%s prints the version and the commit', async (word) => {
  const ports = testPorts();
  expect(await runCli([word], commands, ports)).toBe(0);
  expect(ports.stdout.text()).toBe('graphwarden 1.2.3 (commit abc)\n');
});
