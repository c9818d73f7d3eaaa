import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { settingsFor } from '../../campaigns/crash/guard/settings.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { program as entry } from '../support/build-program.ts';
import { eventually, startChild } from '../support/child.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { isLog, isSync, tracer } from '../support/system-calls.ts';
import { findTool } from '../support/tools.ts';

const limits = { perNode: 3, perCluster: 3, within: 60_000, pick: 'oldest' } as const;

describe.skipIf(findTool('strace') === undefined)('the intent of an abort', () => {
  it('is on the disk before the first byte of the abort is sent', async () => {
    const simulator = await startSimulator({ nodes: 1 }, { listen, clock: systemClock });
    onTestFinished(() => simulator.close());
    const [node] = simulator.nodes;
    if (node === undefined) throw new Error('there is no node');
    const folder = await temporaryFolder();
    const nodes = [{ name: node.name, url: node.url, instance: node.instance }];
    const settings = settingsFor({ nodes, stateDir: join(folder, 'state') }, limits);
    await writeFile(join(folder, 'graphwarden.yml'), stringify(settings));
    const order = { node: node.name, graph: 'fraud', query: 'runaway_walk', runsFor: 600_000, timeout: 600_000 };
    const ids = [1, 2, 3].map(() => simulator.control.startQuery(order)?.requestId ?? '');

    const trace = await tracer();
    const run = ['run', '--config', join(folder, 'graphwarden.yml')];
    const [program = '', ...args] = [...trace.around, process.execPath, entry, ...run];
    const child = startChild(program, args, { cwd: folder });
    onTestFinished(async () => void (await child.stop()));
    await eventually('all are aborted', async () => simulator.aborts().length === ids.length);
    expect(await child.stop()).toBe(0);

    const calls = await trace.calls();
    for (const id of ids) {
      const sent = calls.find(({ text }) => text.includes(`GET /restpp/abortquery/fraud?requestid=${id}`));
      const before = calls.filter(({ returned }) => returned < (sent?.began ?? 0));
      const written = before.findLastIndex((call) => isLog(call) && call.text.includes(id));
      const synced = before.findIndex((call, at) => at > written && isSync(call));
      expect(written, id).toBeGreaterThan(-1);
      expect(synced, id).toBeGreaterThan(written);
    }
  });
});
