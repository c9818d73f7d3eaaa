import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/all.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { frozenTime } from '../support/frozen-time.ts';
import { configFile, livePorts, temporaryFolder } from '../support/live-ports.ts';

const runaway = {
  name: 'runaway',
  when: { age: '> 15s', granted_timeout: '> 5m' },
  confirm: { observations: 2, apart: '4s' },
  grace: '5s',
};

describe('a recording of a runaway query', () => {
  it('shows an abort in each replay, without an abort request', async () => {
    const { clock, openPool, lineFiles, through } = frozenTime();
    const run = async (...args: readonly string[]) => {
      const ports = { ...livePorts({ openPool, lineFiles }), clock };
      const code = await through(runCli(['guard', ...args], commands, ports));
      return { code, out: ports.stdout.text(), error: ports.stderr.text() };
    };
    const options = { nodes: 2, scenario: 'runaway_queries', clockSkew: 7_200_000 } as const;
    const simulator = await startSimulator(options, { listen, clock });
    onTestFinished(() => simulator.close());
    const config = await configFile({
      clusters: [{ name: 'prod', nodes: simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance })) }],
      collectors: { queries: { interval: '2s', timeout: '2s' } },
      guard: { policies: [runaway] },
    });
    const recording = join(await temporaryFolder(), 'tape.jsonl');
    const recorded = await run('record', '--config', config, '--out', recording, '--for', '3m');
    expect(recorded).toMatchObject({
      code: 0,
      out: expect.stringMatching(/tape\.jsonl: 1[78]\d lists in 3m, 0 failed/),
    });
    expect(simulator.aborts()).toEqual([]);
    expect(simulator.calls().filter(({ path }) => path.includes('abort'))).toEqual([]);

    const first = await run('replay', '--config', config, recording);
    expect([first.code, first.error]).toEqual([0, '']);
    expect(first.out).toMatch(/ ring_scan on fraud +would abort\b.* m1 +runaway +[\dms]+ +10m /);
    expect(first.out).toMatch(/\nrunaway {2}observe {2}\d/);
    expect(first.out).toMatch(/\nring_scan on fraud .* GSQL-TIMEOUT: \d+000\n/);
    expect(await run('replay', '--config', config, recording)).toEqual(first);

    const enforced = await run('replay', '--config', config, recording, '--enforce');
    expect(enforced.out).toMatch(/ ring_scan on fraud +aborted\b.* m1 +runaway +[\dms]+ +10m /);
    expect(simulator.aborts()).toEqual([]);
  });

  it('contains the results of conditions on parameters without the parameters', async () => {
    const { clock, openPool, lineFiles, through } = frozenTime();
    const run = async (...args: readonly string[]) => {
      const ports = { ...livePorts({ openPool, lineFiles }), clock };
      const code = await through(runCli(['guard', ...args], commands, ports));
      return { code, out: ports.stdout.text(), error: ports.stderr.text() };
    };
    const simulator = await startSimulator({ nodes: 1 }, { listen, clock });
    onTestFinished(() => simulator.close());
    for (const name of ['Jane%20Thistlewood', 'June+Thistlewood']) {
      const listRequest = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 600_000, timeout: 900_000 };
      simulator.control.startQuery({ ...listRequest, parameters: `depth=4&name=${name}` });
    }
    const [node] = simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance }));
    const named = {
      name: 'named',
      when: { params: { name: 'Jane *' }, age: '> 10s' },
      victims: { pick: 'oldest', max: 5 },
    };
    const configured = (policies: readonly object[]) =>
      configFile({ clusters: [{ name: 'prod', nodes: [node] }], guard: { policies } });
    const recording = join(await temporaryFolder(), 'tape.jsonl');
    const config = await configured([named]);
    expect(await run('record', '--config', config, '--out', recording, '--for', '2m')).toMatchObject({ code: 0 });
    const { out } = await run('replay', '--config', config, recording);
    expect(out).toMatch(/\nnamed {3}observe {2}1 /);
    const later = await configured([{ ...named, when: { params: { name: 'June *' }, age: '> 10s' } }]);
    const replayed = await run('replay', '--config', later, recording);
    expect(replayed.out).toContain(
      'named: not replayable: the recording does not contain when.params.name like June *; unknown for ',
    );
    expect((await readFile(recording, 'utf8')) + out + replayed.out).not.toMatch(/thistlewood|depth/i);
  });
});
