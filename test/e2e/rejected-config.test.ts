import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { checkAnswers } from '../support/api-checker.ts';
import { itInShortForm, numberOfRuns } from '../support/campaign.ts';
import { type Child, eventually } from '../support/child.ts';
import { send } from '../support/http.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { startProgram } from '../support/program.ts';
import { abortCalls } from './guard-environment.ts';

type Section = Readonly<Record<string, unknown>>;

const when = { query: 'endless_*', age: '> 1s' };
const runaway = { name: 'runaway', mode: 'enforce', when, confirm: { apart: '1s' }, grace: '1s' };
const guard = { mode: 'enforce', policies: [runaway] };
const off = { enabled: false };
const collectors = { queries: { interval: '1s', timeout: '1s' }, metrics: off, categories: off, services: off };

/** Kills of a daemon while it stores copies, and entries of the copies: the long form has as many as possible. */
const rounds = numberOfRuns({ short: 1, campaign: 10 });
const entries = numberOfRuns({ short: 300, campaign: 1000 });

/** A simulated node, and a folder with a configuration file for daemons that run one after the other. */
interface TestFolder {
  readonly folder: string;
  readonly simulator: Simulator;
  readonly settings: Section;
  readonly write: (text: string) => Promise<void>;
  readonly start: (...flags: readonly string[]) => Running;
}

interface Running {
  readonly child: Child;
  /** Resolves when the daemon serves. */
  url(): Promise<string>;
}

async function createTestFolder(): Promise<TestFolder> {
  const folder = await temporaryFolder();
  const simulator = await startSimulator({ nodes: 1 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const nodes = simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance }));
  const file = join(folder, 'graphwarden.yml');
  return {
    folder,
    simulator,
    settings: {
      listen: '127.0.0.1:0',
      state_dir: join(folder, 'state'),
      clusters: [{ name: 'prod', nodes }],
      collectors,
    },
    write: async (text) => {
      await writeFile(`${file}.new`, text);
      await rename(`${file}.new`, file);
    },
    start: (...flags) => {
      const child = startProgram(['run', '--config', file, ...flags], { cwd: folder });
      onTestFinished(async () => {
        await child.stop();
      });
      const url = () =>
        eventually('the daemon logs its address', async () => /"url":"(http:[^"]+?)\/?"/.exec(child.stderr())?.[1]);
      return { child, url };
    },
  };
}

async function ready(daemon: Running): Promise<string> {
  const url = await daemon.url();
  checkAnswers(url);
  await eventually('the first round is over', async () => (await send(`${url}/-/ready`)).status === 200);
  return url;
}

function reload(folder: string): Promise<Awaited<ReturnType<typeof send>>> {
  return send('http://localhost/-/reload', { method: 'POST', socketPath: join(folder, 'state', 'control.sock') });
}

async function page(url: string, path: string): Promise<string> {
  return (await send(`${url}${path}`)).text;
}

function startQuery({ control }: Simulator, query: string): void {
  control.startQuery({ node: 'm1', graph: 'fraud', query, runsFor: 600_000, timeout: 600_000 });
}

/** Waits until so many queries are aborted: confirmation and grace period take their time on a busy machine. */
function aborted(simulator: Simulator, count: number): Promise<unknown> {
  return eventually(`${count} queries are aborted`, async () => simulator.aborts().length === count);
}

itInShortForm('rejected file › a removed policy aborts no query, whatever else is wrong with the file', async () => {
  const { folder, simulator, settings, write, start } = await createTestFolder();
  // The policy is removed during its grace period, which is over before that of the other policy.
  const removed = { ...runaway, grace: '10s' };
  const other = { ...removed, name: 'other', when: { ...when, query: 'page*' } };
  await write(stringify({ ...settings, guard: { ...guard, policies: [removed, other] } }));
  const url = await ready(start());
  startQuery(simulator, 'endless_scan');
  await eventually('the query is in its grace period', async () =>
    (await page(url, '/api/v1/guard/decisions')).includes('"phase":"grace"'),
  );
  await write(stringify({ ...settings, guard: { ...guard, policies: [other] }, lisen: 'x' }));
  expect((await reload(folder)).status).toBe(422);
  startQuery(simulator, 'pagerank');
  await aborted(simulator, 1);
  expect(abortCalls(simulator)).toHaveLength(1);
  expect(await page(url, '/api/v1/guard/decisions')).toContain('"query":"pagerank"');
  expect(await page(url, '/api/v1/guard')).toContain('"rejectedConfig":{"since"');
  expect(await page(url, '/metrics')).toContain('graphwarden_config_last_reload_successful 0');

  await write(stringify({ ...settings, guard }));
  expect((await reload(folder)).status).toBe(200);
  await aborted(simulator, 2);
  expect(await page(url, '/')).not.toContain('A configuration file is rejected');
});

itInShortForm(
  'rejected file › the daemon starts with the last accepted configuration and the restrictions of the file',
  async () => {
    const { folder, simulator, settings, write, start } = await createTestFolder();
    await write(stringify({ ...settings, guard }));
    const first = start();
    await ready(first);
    const kept = join(folder, 'state', 'accepted-config.json');
    await eventually('the configuration is kept', () => stat(kept));
    expect((await stat(kept)).mode & 0o777).toBe(0o600);
    expect(await first.child.stop()).toBe(0);

    await write(stringify({ ...settings, guard: { ...guard, mode: 'observe' }, lisen: 'x' }));
    const refused = start('--require-config');
    expect(await refused.child.ended).toBe(2);
    expect(refused.child.stderr()).toMatch(/^\S*graphwarden\.yml:\d+:\d+: lisen: /);

    const second = start();
    const url = await ready(second);
    expect(second.child.stderr()).toContain('"msg":"config rejected, starting with the last accepted config"');
    expect(JSON.parse(await page(url, '/api/v1/guard'))).toMatchObject({
      policies: [{ name: 'runaway', mode: 'observe' }],
      rejectedConfig: { problem: expect.stringContaining('lisen') },
    });
    startQuery(simulator, 'endless_scan');
    await eventually('the policy would abort the query', async () =>
      /^graphwarden_guard_would_abort_total\{.* 1$/m.test(await page(url, '/metrics')),
    );
    expect(abortCalls(simulator)).toEqual([]);

    await write(`${stringify({ ...settings, guard: 1 })}lisen: [`);
    await eventually('the guard is paused', async () => {
      const { reasons }: { reasons: unknown } = JSON.parse(await page(url, '/api/v1/guard'));
      return JSON.stringify(reasons) === '["config"]';
    });
    await write(stringify({ ...settings, guard }));
    await aborted(simulator, 1);
    expect(await second.child.stop()).toBe(0);
  },
);

it('rejected file › the copy is whole after the daemon is killed while it stores copies', async () => {
  const { folder, settings, write, start } = await createTestFolder();
  const kept = join(folder, 'state', 'accepted-config.json');
  // Large, so that a write takes its time: long names, because each entry takes time to parse.
  const protect = Array.from({ length: entries }, (_, at) => ({ query: `nightly_${at}_${'x'.repeat(450)}` }));
  await write(stringify({ ...settings, guard: { protect } }));
  for (let round = 0; round < rounds; round += 1) {
    const daemon = start();
    await ready(daemon);
    const reloads = Array.from({ length: 20 }, async () => reload(folder).catch(String));
    await eventually('a reload is over', async () => daemon.child.stderr().includes('config reloaded'));
    daemon.child.kill('SIGKILL');
    await Promise.all([daemon.child.ended, ...reloads]);
    expect(JSON.parse(await readFile(kept, 'utf8'))).toMatchObject({ file: join(folder, 'graphwarden.yml') });
  }
  await write(`lisen: x\nstate_dir: ${join(folder, 'state')}\n`);
  const last = start();
  expect(await page(await ready(last), '/metrics')).toContain('graphwarden_config_last_reload_successful 0');
  expect(await last.child.stop()).toBe(0);

  await rm(kept);
  const none = start();
  expect(await none.child.ended).toBe(2);
});
