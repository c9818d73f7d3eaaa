import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { listen } from '../../../src/runtime/listener.ts';
import { startSimulator } from '../../../src/simulator/simulator.ts';
import { testPorts } from '../../support/cli-ports.ts';
import { freePort } from '../../support/free-port.ts';
import { configFile, livePorts } from '../../support/live-ports.ts';
import { recordingOutput } from '../../support/output.ts';

async function clusterAt(url: string): Promise<string> {
  return configFile({ clusters: [{ name: 'prod', nodes: [{ name: 'm1', url }] }] });
}

async function simulated(): Promise<string> {
  const simulator = await startSimulator({ nodes: 1 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  return clusterAt(simulator.nodes[0]?.url ?? '');
}

describe('a cluster that works', () => {
  it('is shown call by call, with exit code 0', async () => {
    const ports = livePorts();
    expect(await runCli(['doctor', '--all', '--config', await simulated()], commands, ports)).toBe(0);
    expect(ports.stdout.text()).toMatch(/^NODE +COLLECTOR +REQUEST +RESULT +LATENCY +ADVICE\n/);
    expect(ports.stdout.text()).toMatch(/^prod\/m1 +health +ping +works +\d+ ms$/m);
    expect(ports.stdout.text()).toMatch(/\nall enabled collectors work\n$/);
    expect(ports.stderr.text()).toBe('');
  });

  it('shows no request that works without --all', async () => {
    const ports = livePorts();
    await runCli(['doctor', '--config', await simulated()], commands, ports);
    expect(ports.stdout.text()).toMatch(/(?:^|\n)\d+ of \d+ requests work\nall enabled collectors work\n$/);
    expect(ports.stdout.text()).not.toMatch(/ {2}works/);
  });

  it('is shown as JSON to programs; the environment may name the configuration', async () => {
    const ports = { ...livePorts(), environment: { GRAPHWARDEN_CONFIG: await simulated() } };
    expect(await runCli(['doctor', '--json'], commands, ports)).toBe(0);
    const findings: unknown = JSON.parse(ports.stdout.text());
    expect(findings).toContainEqual(expect.objectContaining({ node: 'm1', collector: 'queries', reason: 'works' }));
  });

  it('shows progress on a terminal, and clears it at the end', async () => {
    const stderr = recordingOutput(true);
    await runCli(['doctor', '--config', await simulated()], commands, { ...livePorts(), stderr });
    expect(stderr.text()).toContain('prod/m1: health ping');
    expect(stderr.text()).toMatch(/\r +\r$/);
  });
});

it('doctor exits with 1 and prints the cause of a failure', async () => {
  const ports = livePorts();
  const file = await clusterAt(`http://127.0.0.1:${await freePort()}`);
  expect(await runCli(['doctor', '--config', file], commands, ports)).toBe(1);
  expect(ports.stdout.text().match(/^prod\/m1 +unreachable +Check that the node runs/gm)).toHaveLength(1);
  expect(ports.stdout.text()).toMatch(/^9 failing: prod\/m1\/health, /m);
});

describe('a probe that fails', () => {
  const account = { type: 'Account', id: 'secret-id' };
  const probes = {
    works: { vertex: account },
    missing_query: { installed_query: { query: 'nothing' } },
    missing_privilege: { edges: { source_type: 'Account', source_id: 'secret-id' } },
    wrong_assertion: { vertex: account, assert: { count: { min: 9 } } },
    missing_vertex: { vertex: { type: 'Account', id: 'missing-secret-id' } },
  };

  it('is one row with the failure and its remedy, without ids', async () => {
    const simulator = await startSimulator({ nodes: 1 }, { listen, clock: systemClock });
    onTestFinished(() => simulator.close());
    await simulator.control.injectFault('status_403', { path: /\/edges\// });
    const file = await configFile({
      clusters: [{ name: 'prod', nodes: [{ name: 'm1', url: simulator.nodes[0]?.url ?? '' }] }],
      probes: Object.entries(probes).map(([name, probe]) => ({ name, graph: 'fraud', ...probe })),
    });
    const ports = livePorts();
    expect(await runCli(['doctor', '--config', file], commands, ports)).toBe(1);
    const text = ports.stdout.text();
    expect(text).toMatch(/^prod\/m1 +not found +Install the query nothing on the graph fraud.* probe_missing_query/m);
    expect(text).toMatch(
      /^prod\/m1 +access denied +In GSQL: GRANT PRIVILEGE READ_DATA ON GRAPH fraud TO .* probe_missing_privilege/m,
    );
    expect(text).toMatch(
      /^prod\/m1 +assertion failed +.*correct assert\.count of the probe wrong_assertion\. +the result has 1 entries, fewer than min \(9\)/m,
    );
    expect(text).toMatch(
      /^prod\/m1 +invalid response +Correct vertex\.type or vertex\.id.*probe_missing_vertex vertex/m,
    );
    expect(text).not.toContain('probe_works');
    expect(text).not.toContain('secret-id');
    expect(text).toContain('4 failing: ');
  });
});

describe('invalid usage of `doctor`', () => {
  it('is a usage error without a configuration', async () => {
    const ports = testPorts();
    expect(await runCli(['doctor'], commands, ports)).toBe(2);
    expect(ports.stderr.text()).toContain('required option --config FILE not specified');
  });

  it('fails with an invalid configuration', async () => {
    const ports = testPorts();
    ports.disk.set('a.yml', 'clusters: []\n');
    expect(await runCli(['doctor', '--config', 'a.yml'], commands, ports)).toBe(2);
    expect(ports.stderr.text()).toMatch(/^a\.yml:1:/);
    expect(ports.stdout.text()).toBe('');
  });
});
