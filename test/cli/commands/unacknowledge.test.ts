import { expect, it } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { livePorts } from '../../support/live-ports.ts';
import { startIncidentApi } from '../incident-api.ts';

it('unacknowledge withdraws an acknowledgement, and fails without one', async () => {
  const { url, acknowledgement } = await startIncidentApi();
  const ports = livePorts();
  await runCli(['acknowledge', 'k1-7', '--author', 'ada', '--url', url], commands, livePorts());
  const withdraw = () => runCli(['unacknowledge', 'k1-7', '--url', url], commands, ports);
  expect(await withdraw()).toBe(0);
  expect(acknowledgement()).toBeUndefined();
  expect(ports.stdout.text()).toBe('acknowledgement of incident k1-7 withdrawn\n');
  expect(await withdraw()).toBe(1);
  expect(ports.stderr.text()).toContain('Incident k1-7 is not acknowledged.');
});
