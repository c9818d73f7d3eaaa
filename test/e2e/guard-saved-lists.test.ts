import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/all.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { startChild } from '../support/child.ts';
import { configFile, livePorts, temporaryFolder } from '../support/live-ports.ts';
import { findTool } from '../support/tools.ts';

const guide = await readFile(join(import.meta.dirname, '../../docs/guard.md'), 'utf8');
const isMissing = ['jq', 'curl'].some((tool) => findTool(tool) === undefined);

describe.skipIf(isMissing)('the example that saves lists with curl and jq', () => {
  it('writes a recording without parameters, which replays', async () => {
    const simulator = await startSimulator({ nodes: 1 }, { listen, clock: systemClock });
    onTestFinished(() => simulator.close());
    const [node] = simulator.nodes;
    const query = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 600_000, timeout: 900_000 };
    simulator.control.startQuery({ ...query, parameters: 'name=Jane%20Thistlewood' });

    const [, example = ''] = /```bash\n(.*?)```/s.exec(guide) ?? [];
    const script = example
      .replace('http://m1.example.org:14240', node?.url ?? '')
      .replace('seq 120', 'seq 20')
      .replace('sleep 5', 'sleep 0.2');
    const cwd = await temporaryFolder();
    const child = startChild('bash', ['-euo', 'pipefail', '-c', script], { cwd });
    expect([await child.ended, child.stderr()]).toEqual([0, '']);
    expect(await readFile(join(cwd, 'saved.jsonl'), 'utf8')).not.toMatch(/thistlewood/i);

    const runaway = {
      name: 'runaway',
      when: { age: '> 1s' },
      confirm: { observations: 2, apart: '1s' },
      grace: '300ms',
    };
    const config = await configFile({
      clusters: [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://10.0.0.1:14240' }] }],
      guard: { policies: [runaway] },
    });
    const ports = livePorts();
    const code = await runCli(['guard', 'replay', '--config', config, join(cwd, 'saved.jsonl')], commands, ports);
    expect([code, ports.stderr.text()]).toEqual([0, '']);
    expect(ports.stdout.text()).toMatch(/\nm1: 20 lists, covered since /);
    expect(ports.stdout.text()).toMatch(/ ring_scan on fraud +would abort\b.* m1 +runaway /);
  });
});
