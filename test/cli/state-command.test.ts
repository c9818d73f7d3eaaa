import { expect, it } from 'vitest';
import { runStateTool } from '../../src/cli/state-command.ts';
import { testPorts } from '../support/cli-ports.ts';

it('a tool for the state directory is not loaded if the directory is unknown', async () => {
  const ports = testPorts();
  const code = await runStateTool(
    { flags: { config: 'missing.yml' }, arguments: [] },
    ports,
    () => Promise.reject(new Error('the tool is called')),
    () => 0,
  );
  expect([code, ports.stderr.text()]).toEqual([1, "graphwarden: cannot read 'missing.yml': no such file\n"]);
});
