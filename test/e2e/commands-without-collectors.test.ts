import { expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/all.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { startInProcessDaemon } from '../support/in-process-daemon.ts';
import { livePorts } from '../support/live-ports.ts';

it.each([
  ['status', 'never'],
  ['queries', 'no data: delayed_queries (not polled by this daemon)'],
])('%s works if the collectors that it shows are not enabled', async (command, expected) => {
  const simulator = await startSimulator({ nodes: 1 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const nodes = simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance }));
  const off = { enabled: false };
  const daemon = await startInProcessDaemon({
    clusters: [{ name: 'prod', nodes }],
    collectors: {
      services: off,
      delayed_queries: off,
      metrics: off,
      statistics: off,
      workload_queues: off,
      license: off,
    },
  });
  onTestFinished(() => daemon.stop());
  const ports = livePorts();
  const code = await runCli([command, '--url', daemon.url], commands, ports);
  expect(ports.stderr.text()).toBe('');
  expect([0, 3]).toContain(code);
  expect(ports.stdout.text()).toContain(expected);
});
