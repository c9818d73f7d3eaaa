import { describe, expect, it, onTestFinished } from 'vitest';
import { recordProcessLists } from '../../src/cli/process-list-recording.ts';
import { loadConfig } from '../../src/config/load.ts';
import { err, ok } from '../../src/kernel/result.ts';
import type { LineWriter } from '../../src/kernel/system.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { frozenTime } from '../support/frozen-time.ts';
import { livePorts, realWorld } from '../support/live-ports.ts';
import { serve } from '../support/served-listener.ts';

const { clock, openPool, through } = frozenTime();

async function simulated(): Promise<Simulator> {
  const simulator = await startSimulator({ nodes: 2 }, { listen, clock });
  onTestFinished(() => simulator.close());
  return simulator;
}

/** A file that keeps its lines, and is full after so many. */
function fileOf(room = Number.POSITIVE_INFINITY) {
  const lines: string[] = [];
  const writer: LineWriter = {
    write: async (line) => {
      if (lines.length >= room) return err('cannot write: the disk is full');
      lines.push(line);
      return ok(undefined);
    },
    close: async () => ok(undefined),
  };
  return { lines, writer, events: () => lines.slice(1).map((line): unknown => JSON.parse(line)) };
}

interface RecordOptions {
  readonly urls: readonly string[];
  readonly writer: LineWriter;
  readonly every?: string;
}

async function record({ urls, writer, every = '1s' }: RecordOptions, stop: AbortSignal) {
  const nodes = urls.map((url, index) => ({ name: `m${index + 1}`, url }));
  const queries = { interval: every, timeout: '400ms' };
  const config = loadConfig(JSON.stringify({ clusters: [{ name: 'prod', nodes }], collectors: { queries } }), 'a', {});
  if (!config.ok) throw new Error('a configuration with problems');
  const [cluster] = config.value.clusters;
  if (cluster === undefined) throw new Error('no cluster');
  const task = { config: config.value, cluster, nodes: cluster.nodes, writer };
  return through(recordProcessLists(task, { ...livePorts(), clock }, { ...realWorld, openPool }, stop));
}

function within(length: number): AbortSignal {
  const over = new AbortController();
  void clock.sleep(length).then(() => over.abort());
  return over.signal;
}

describe('recording lists', () => {
  it('requests every node once per interval, and counts', async () => {
    const { nodes } = await simulated();
    const file = fileOf();
    const end = await record({ urls: nodes.map(({ url }) => url), writer: file.writer }, within(59_500));
    expect(end).toEqual({ lists: 120, failed: 0 });
    expect(file.events().slice(0, 2)).toMatchObject([{ node: 'm1' }, { node: 'm2' }]);
    expect(file.lines).toHaveLength(121);
  });

  it('records graphs after their first request', async () => {
    let isUp = false;
    const { url } = await serve(async ({ path }) => {
      const isList = path.endsWith('showprocesslistall');
      if (path.endsWith('endpoints') || (!isList && !isUp)) return { status: 503, headers: {}, body: '' };
      const body = isList
        ? { error: false, results: [] }
        : { error: false, message: '', graphs: [{ graphName: 'fraud' }] };
      isUp ||= isList;
      return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    });
    const file = fileOf();
    await record({ urls: [url], writer: file.writer }, within(31_000));
    expect(JSON.parse(file.lines[0] ?? '')).toMatchObject({ graphs: [] });
    expect(file.events().filter((event) => JSON.stringify(event).includes('graphs'))).toEqual([
      { event: 'graphs', at: expect.anything(), names: ['fraud'] },
    ]);
  });

  it('continues while a node does not answer or sends a malformed answer', async () => {
    const { nodes } = await simulated();
    const dumb = await serve(async () => new Promise(() => undefined));
    const odd = await serve(async () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"results":7}',
    }));
    const file = fileOf();
    const urls = [nodes[0]?.url ?? '', dumb.url, odd.url];
    const end = await record({ urls, writer: file.writer }, within(1800));
    expect(end.lists).toBeGreaterThanOrEqual(2);
    expect(end.failed).toBeGreaterThanOrEqual(2);
    const events = file.events();
    expect(events).toContainEqual(expect.objectContaining({ event: 'unlisted', node: 'm2', reason: 'timeout' }));
    expect(events).toContainEqual(expect.objectContaining({ event: 'unlisted', node: 'm3', reason: 'body' }));
    expect(file.lines).toContainEqual(expect.stringContaining('"skip_reason":"malformed"'));
    expect(events).toContainEqual(expect.objectContaining({ event: 'listed', node: 'm1' }));
  });

  it('ends if it cannot write', async () => {
    const { nodes } = await simulated();
    const file = fileOf(3);
    const end = await record({ urls: nodes.map(({ url }) => url), writer: file.writer }, within(10_000));
    expect(end).toMatchObject({ error: 'cannot write: the disk is full' });
    expect(file.lines).toHaveLength(3);
  });

  it('writes only its header if it is aborted at once', async () => {
    const { nodes } = await simulated();
    const file = fileOf();
    const end = await record({ urls: nodes.map(({ url }) => url), writer: file.writer }, AbortSignal.abort());
    expect(end).toEqual({ lists: 0, failed: 0 });
    expect(file.events()).toEqual([]);
  });
});
