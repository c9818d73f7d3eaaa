import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { listen } from '../../../src/runtime/listener.ts';
import { startSimulator } from '../../../src/simulator/simulator.ts';
import { freePort } from '../../support/free-port.ts';
import { configFile, livePorts } from '../../support/live-ports.ts';

const packs = readdirSync('config/queries').map((name) => {
  const { custom } = z
    .object({ custom: z.array(z.looseObject({ name: z.string() })) })
    .parse(parse(readFileSync(`config/queries/${name}`, 'utf8')));
  return { name, custom };
});
const all = packs.flatMap(({ custom }) => custom);

async function simulated(custom: readonly unknown[] = all, env = 'x'): Promise<string> {
  const simulator = await startSimulator({ nodes: 2 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const nodes = simulator.nodes.map(({ url }, at) => ({ name: `m${at + 1}`, url }));
  const read_auth = { basic: { username: 'tigergraph', password: 'tigergraph' } };
  return configFile({ clusters: [{ name: 'prod', labels: { env }, nodes, read_auth }], custom });
}

async function run(file: string, ...more: readonly string[]) {
  const ports = livePorts();
  const code = await runCli(['custom', 'try', '--config', file, ...more], commands, ports);
  return { code, stdout: ports.stdout.text(), stderr: ports.stderr.text() };
}

describe('custom try', () => {
  it.each(all.map(({ name }) => name))('prints the metrics of the query pack %s', async (name) => {
    const { code, stdout, stderr } = await run(await simulated(), name);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^\d+ series from prod\/m1 in \d+ ms\n$/),
    });
    expect(stdout).toMatch(
      /^# HELP graph_\w+ .+\n# TYPE graph_\w+ gauge\ngraph_\w+\{cluster_name="prod",env="x",graph="fraud"[^}]*\} \d+\n/,
    );
  });

  it('runs a query of each node on the node that is named', async () => {
    const file = await simulated([{ ...all[0], nodes: 'all' }]);
    const { code, stdout } = await run(file, String(all[0]?.name), '--node', 'm2');
    expect(code).toBe(0);
    expect(stdout).toContain('node="m2"');
  });

  it('prints label values without invisible characters', async () => {
    const { code, stdout } = await run(await simulated([all[0]], 'a\u001b[31m\u202eb'), String(all[0]?.name));
    expect(code).toBe(0);
    expect(stdout).toContain('env="a [31m b"');
  });

  it('reports the mismatch with the present members, and exits with 1', async () => {
    const metrics = [{ name: 'graph_age_seconds', help: 'Age.', value: 'age' }];
    const wrong = { name: 'wrong', graph: 'fraud', query: 'data_age', rows: '0.@@newest', metrics };
    const { code, stdout, stderr } = await run(await simulated([wrong]), 'wrong');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'graphwarden: prod/m1: custom query wrong on m1: metric graph_age_seconds: value: `age` matches no row: the value has no member "age"; it has "type", "age_seconds"\n',
    );
  });

  it('exits with 1 if the query is not installed or the node does not answer', async () => {
    const { code, stderr } = await run(await simulated([{ ...all[0], name: 'gone', query: 'gone' }]), 'gone');
    expect(code).toBe(1);
    expect(stderr).toMatch(/the query gone is not installed on the graph fraud\n$/);
    const nodes = [{ name: 'm1', url: `http://127.0.0.1:${await freePort()}` }];
    const down = await run(await configFile({ clusters: [{ name: 'prod', nodes }], custom: all }), 'data_age');
    expect(down.code).toBe(1);
  });

  it.each([
    [['data_aeg'], "unknown custom query 'data_aeg': did you mean 'data_age'?"],
    [['nothing_like_it'], "unknown custom query 'nothing_like_it': known queries: "],
    [['data_age', '--cluster', 'other'], "unknown cluster 'other'"],
    [
      ['data_age', '--node', 'm9'],
      "the custom query 'data_age' does not run on the node 'm9': nodes of the query: m1, m2",
    ],
    [[], 'NAME'],
  ])('exits with 2 for %j', async (given, message) => {
    const { code, stderr } = await run(await simulated(), ...given);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('exits with 2 for an invalid configuration, and without custom queries', async () => {
    expect(await run(await simulated([{ name: 'x' }]), 'x')).toMatchObject({ code: 2 });
    expect(await run(await simulated([]), 'x')).toMatchObject({ code: 2 });
  });
});
