import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
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
    expect(out).toMatch(/ring_scan on fraud .* aborted; ran on for 2m10s\n/);
    expect(out).toMatch(/\nold {5}enforce /);
  });

  it('prints JSON', async () => {
    const report = JSON.parse((await replayed(recording, '--json')).out);
    expect(report).toMatchObject({
      cluster: 'prod',
      decisions: [
        { policy: 'old', query: 'ring_scan', verdict: 'would_abort', age: 70_000 },
        { policy: 'old', query: 'pagerank', verdict: 'held', reason: 'cooldown' },
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
  ])('says which line of a recording that is %s is wrong', async (_, text, message) => {
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
      error: expect.stringContaining("missing required argument 'RECORDING'"),
    });
    const good = await configFile({ clusters: [{ name: 'prod', nodes }] });
    expect(await run('--config', good, '/nowhere/recording.jsonl')).toMatchObject({
      code: 1,
      error: "graphwarden: cannot read '/nowhere/recording.jsonl': no such file\n",
    });
  });
});
