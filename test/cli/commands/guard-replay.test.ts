import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { formatReplay } from '../../../src/cli/commands/guard-replay.ts';
import type { ReplayReport } from '../../../src/guard/recording/replay.ts';
import type { ReplayedDecision } from '../../../src/guard/recording/replay-results.ts';
import { epoch } from '../../guard/observations.ts';
import { headerOf, listsUntil } from '../../guard/recording/recordings.ts';
import { configFile, livePorts, temporaryFolder } from '../../support/live-ports.ts';

const nodes = [{ name: 'n1', url: 'http://10.0.0.1:14240' }];
const old = { name: 'old', when: { age: '> 1m' }, grace: '10s' };
const deep = { name: 'deep', when: { params: { depth: '4*' } } };
const queries = [{ serial: 1 }, { serial: 2, from: 10_000, query: '/query/fraud/pagerank', until: 100_000 }];
const recording = [headerOf(), ...listsUntil(200_000, queries)].map((line) => `${JSON.stringify(line)}\n`).join('');

async function replayed(text: string, ...args: readonly string[]) {
  const config = await configFile({ clusters: [{ name: 'prod', nodes }], guard: { policies: [old, deep] } });
  const file = join(await temporaryFolder(), 'recording.jsonl');
  await writeFile(file, text);
  return { file, ...(await run('--config', config, file, ...args)) };
}

async function run(...args: readonly string[]) {
  const ports = livePorts();
  const code = await runCli(['guard', 'replay', ...args], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}

describe('guard replay', () => {
  it('prints decisions, totals, settings, and the limits of the replay', async () => {
    const { code, out, error } = await replayed(recording);
    expect([code, error]).toEqual([0, 'note: the guard section has changed since the recording\n']);
    await expect(out).toMatchFileSnapshot('../../golden/guard-replay-observed.txt');
  });

  it('prints the same each time, byte for byte', async () => {
    const [one, other] = [await replayed(recording), await replayed(recording)];
    expect(one.out).toBe(other.out);
    expect((await replayed(recording, '--json')).out).toBe((await replayed(recording, '--json')).out);
  });

  it('evaluates all policies in enforce mode with --enforce', async () => {
    const { out } = await replayed(recording, '--enforce');
    expect(out).toMatch(/ring_scan on fraud {2}aborted; ran on for 2m10s /);
    expect(out).toMatch(/\nold {5}enforce /);
  });

  it('prints JSON', async () => {
    const report = JSON.parse((await replayed(recording, '--json')).out);
    expect(report).toMatchObject({
      cluster: 'prod',
      decisions: [
        { policy: 'old', query: 'ring_scan', result: 'would_abort', age: 70_000 },
        { policy: 'old', query: 'pagerank', result: 'held', reason: 'cooldown' },
      ],
      policies: [{ policy: 'old', mode: 'observe', matches: 2 }],
      unknown: [{ policy: 'deep', lacks: ['when.params.depth like 4*'] }],
      settings: [{ graph: 'fraud', query: 'ring_scan', timeout: 70_000 }],
    });
  });

  it.each([
    ['cut off', recording.slice(0, -30), 'line 42 is incomplete'],
    ['out of order', `${recording}${recording.split('\n')[3]}\n`, 'line 43 is out of order'],
    ['of a later version', recording.replace('"version":1', '"version":9'), 'line 1 has format version 9'],
    ['something else', 'clusters: []\n', 'line 1 is not a JSON object'],
    ['empty', '', 'empty recording'],
  ])('names the invalid line of a recording that is %s', async (_, text, message) => {
    const { code, out, error, file } = await replayed(text);
    expect([code, out]).toEqual([1, '']);
    expect(error.startsWith(`graphwarden: ${file}: ${message}`)).toBe(true);
  });

  it('needs a configuration without problems, and a recording', async () => {
    expect(await run('recording.jsonl')).toMatchObject({
      code: 2,
      error: expect.stringContaining('required option --config FILE not specified'),
    });
    const config = await configFile({ clusters: [] });
    expect(await run('--config', config, 'recording.jsonl')).toMatchObject({ code: 2, out: '' });
    expect(await run('--config', config)).toMatchObject({
      code: 2,
      error: expect.stringContaining(
        'exactly one of the argument RECORDING and the options --last and --abort is required',
      ),
    });
    const good = await configFile({ clusters: [{ name: 'prod', nodes }] });
    expect(await run('--config', good, '/nowhere/recording.jsonl')).toMatchObject({
      code: 1,
      error: "graphwarden: cannot read '/nowhere/recording.jsonl': no such file\n",
    });
  });
});

describe('guard replay --last', () => {
  it('replays the recording of the daemon, without a note on the guard section', async () => {
    const lab = { name: 'lab', nodes: [{ name: 'n1', url: 'http://10.0.0.2:14240' }] };
    const clusters = [{ name: 'prod', nodes }, lab];
    const policies = [{ ...old, clusters: ['prod'] }];
    const config = await configFile({ clusters, guard: { policies } });
    const folder = join(dirname(config), 'state', 'recordings');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, '00000001-prod.jsonl'), recording);
    // A minute more than since the recording began: it may take long until the command reads the clock.
    const since = `${Math.ceil((Date.now() - epoch) / 1000) + 60}s`;
    const { code, out, error } = await run('--config', config, '--last', since, '--cluster', 'prod');
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(/\nn1: 41 lists/);
    expect(out).toMatch(/ring_scan on fraud {2}would abort/);
    expect(await run('--config', config, '--last', '1h', '--cluster', 'lab')).toMatchObject({
      code: 1,
      error: expect.stringContaining("no recording of cluster 'lab' since "),
    });
    expect(await run('--config', config, '--last', '1h')).toMatchObject({
      code: 2,
      error: expect.stringContaining('required option --cluster NAME not specified: one of prod, lab'),
    });
  });
});

const begin = Date.UTC(2026, 8, 21, 14, 0, 0);

function decision(changes: Partial<ReplayedDecision>): ReplayedDecision {
  return {
    policy: 'runaway',
    mode: 'enforce',
    node: 'm1',
    graph: 'fraud',
    query: 'ring_scan',
    id: '7.RESTPP_1_1.1790000000000.N',
    matchedAt: begin + 60_000,
    due: begin + 90_000,
    age: 630_000,
    grantedTimeout: 3_600_000,
    result: 'aborted',
    at: begin + 92_000,
    ranOn: 125_400,
    ...changes,
  };
}

const report: ReplayReport = {
  cluster: 'prod',
  from: begin,
  to: begin + 3_600_000,
  nodes: [
    { node: 'm1', lists: 720, failed: 2, rejected: { too_slow: 3 }, skipped: { ages: 9 }, coveredAt: begin + 45_000 },
    { node: 'm2', lists: 719, failed: 0, rejected: {}, skipped: {} },
  ],
  decisions: [
    decision({}),
    decision({ policy: 'older', mode: 'observe', result: 'would_abort', reason: 'cooldown', at: begin + 150_000 }),
    decision({ result: 'held', reason: 'node_budget', query: 'pagerank' }),
    decision({ result: 'held', reason: 'breaker' }),
    decision({ result: 'over', reason: 'not_listed', due: begin + 100_000 }),
    decision({ result: 'over', reason: 'unknown_graph', due: begin + 100_000 }),
    decision({ result: 'open', due: begin + 3_610_000, matchedAt: begin + 3_580_000 }),
  ],
  unlisted: 4,
  policies: [
    {
      policy: 'runaway',
      mode: 'enforce',
      matches: 6,
      results: { aborted: 1, would_abort: 0, held: 2, over: 2, open: 1 },
    },
    {
      policy: 'older',
      mode: 'observe',
      matches: 1,
      results: { aborted: 0, would_abort: 1, held: 0, over: 0, open: 0 },
    },
  ],
  unknown: [{ policy: 'deep', lacks: ['when.params.depth like 4* or 9', 'gate.queue_depth'], matches: 12 }],
  breakers: [{ breaker: 'same_query fraud ring_scan', at: begin + 93_000 }],
  settings: [
    {
      graph: 'fraud',
      query: 'ring_scan',
      aborts: 2,
      policies: ['runaway', 'older'],
      timeout: 630_000,
      atOnce: 3,
      queueLimit: 20,
    },
    { graph: 'fraud', query: 'other', aborts: 1, policies: ['runaway'], timeout: 20_000 },
  ],
};

const golden = `\
prod, 2026-09-21 14:00:00Z to 2026-09-21 15:00:00Z (1h). Replay: no requests and no notifications are sent.

m1: 720 lists, 2 failed, 3 rejected (too_slow), 9 entries skipped (ages), covered since 2026-09-21 14:00:45Z
m2: 719 lists, never covered: the guard cannot abort queries on this node
`;

describe('replay report', () => {
  it('contains nodes, decisions, totals, breakers and settings', async () => {
    await expect(formatReplay(report)).toMatchFileSnapshot('../golden/guard-replay.txt');
    expect(formatReplay(report).startsWith(golden)).toBe(true);
  });

  it('states that no query matched, and that no policy is replayable', () => {
    const text = formatReplay({
      ...report,
      decisions: [],
      unlisted: 0,
      policies: [],
      unknown: [],
      breakers: [],
      settings: [],
    });
    expect(text.slice(golden.length)).toBe(`
No policy matched a confirmed query.

No policy of this cluster is replayable.
`);
  });

  it('contains no control characters', () => {
    const text = formatReplay({ ...report, cluster: 'prod\u001b[2J', decisions: [decision({ query: 'a\nb\u0007' })] });
    expect(text).not.toMatch(/[^\P{Cc}\n]/u);
    expect(text.split('\n').find((line) => line.includes('a b'))).toBeDefined();
  });
});
