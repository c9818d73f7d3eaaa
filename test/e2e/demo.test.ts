import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Child, eventually } from '../support/child.ts';
import { readExposition } from '../support/exposition.ts';
import { send } from '../support/http.ts';
import { startDemo, startProgram } from '../support/program.ts';

describe('the demo, started without options', () => {
  let url: string;
  let child: Child;

  beforeAll(async () => {
    ({ url, child } = await startDemo());
  });

  afterAll(async () => {
    await child.stop();
  });

  it('prints that it is a simulation, and the URL', () => {
    expect(child.stdout()).toContain('SIMULATION');
    expect(child.stdout()).toContain(`${url}/metrics`);
  });

  it('shows all three nodes up', async () => {
    const up = await eventually('three nodes are up', async () => {
      const { text } = await send(`${url}/metrics`);
      const samples = readExposition(text, 'text').get('graphdb_up')?.samples ?? [];
      return samples.filter(({ value }) => value === 1).length === 3 && samples;
    });
    expect(up.map(({ labels }) => labels.node ?? '').toSorted()).toEqual(['m1', 'm2', 'm3']);
  });

  it('has a policy that aborts', async () => {
    const page = await eventually('the guard covers all nodes', async () => {
      const { text } = await send(`${url}/metrics`);
      const covered = readExposition(text, 'text').get('graphwarden_guard_node_covered')?.samples ?? [];
      return covered.filter(({ value }) => value === 1).length === 3 && text;
    });
    expect(page).toContain('graphwarden_guard_mode{cluster_name="simulated",policy="runaway",mode="enforce"} 1');
    expect(page).toContain('graphwarden_guard_mode{cluster_name="simulated",policy="runaway",mode="observe"} 0');
  });

  it('serves valid OpenMetrics, compressed, on request', async () => {
    const accept = 'application/openmetrics-text;version=1.0.0';
    const reply = await send(`${url}/metrics`, { headers: { accept, 'accept-encoding': 'gzip' } });
    expect(reply.headers['content-type']).toMatch(/^application\/openmetrics-text; ?version=1\.0\.0/);
    expect(reply.headers['content-encoding']).toBe('gzip');
    expect(readExposition(reply.text, 'openmetrics').get('graphdb_up')?.samples).toHaveLength(3);
  });

  it('allows actions of the user of its terminal only', async () => {
    const [link = ''] = /\S+\?token=\S+/.exec(child.stdout()) ?? [];
    const { headers } = await send(link);
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const pauseGuard = async (more: Readonly<Record<string, string>>) =>
      (await send(`${url}/api/v1/guard/pause`, { method: 'POST', headers: more })).status;
    expect(await pauseGuard({})).toBe(403);
    expect(await pauseGuard({ cookie })).toBe(200);
    expect((await send(link)).headers['set-cookie']).toBeUndefined();
    const [, user = '', password = ''] = /GRAPHWARDEN_USER=(\S+) GRAPHWARDEN_PASSWORD=(\S+)/.exec(child.stdout()) ?? [];
    const env = { ...process.env, GRAPHWARDEN_URL: url, GRAPHWARDEN_USER: user, GRAPHWARDEN_PASSWORD: password };
    const resume = startProgram(['guard', 'resume', '--yes'], { env });
    expect([await resume.ended, resume.stdout()]).toEqual([0, expect.stringContaining('guard resumed')]);
  });

  it('answers at every documented path', async () => {
    await eventually('it is ready', async () => (await send(`${url}/-/ready`)).status === 200);
    const paths = ['/', '/-/healthy', '/-/ready', '/api/v1/clusters', '/api/v1/collectors', '/api/v1/openapi.json'];
    const replies = await Promise.all(paths.map(async (path) => [path, (await send(url + path)).status]));
    expect(replies).toEqual(paths.map((path) => [path, 200]));
  });

  it('ends cleanly and without a complaint', async () => {
    // One that hangs gives up after nine seconds, and ends with 1.
    expect(await child.stop()).toBe(0);
    expect(child.stderr()).not.toMatch(/unhandled|uncaught|"level":"(?:error|fatal)"/i);
  });
});

describe('SIGTERM', () => {
  it.each([0, 40, 150, 400, 900])('ends the program cleanly %d ms after its start', async (delay) => {
    const child = startProgram(['demo', '--listen', '127.0.0.1:0']);
    await pause(delay);
    expect([0, 143]).toContain(await child.stop());
    expect(child.stderr()).not.toMatch(/unhandled|uncaught/i);
  });
});
