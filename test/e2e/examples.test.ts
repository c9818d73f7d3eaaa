import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { eventually, startChild } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { guideBlocks } from '../support/guide.ts';
import { send } from '../support/http.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { findTool } from '../support/tools.ts';

const examples = join(import.meta.dirname, '../../examples');
const promtool = findTool('promtool');
const amtool = findTool('amtool');
const isComplete = [promtool, findTool('prometheus'), findTool('prometheus-alertmanager')].every(Boolean);

const compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      command: z.array(z.string()).optional(),
      volumes: z.array(z.string()),
      ports: z.array(z.string()).optional(),
      network_mode: z.string().optional(),
    }),
  ),
});

function read(file: string): unknown {
  return parse(readFileSync(join(examples, file), 'utf8'));
}

function check(tool: string | undefined, ...words: readonly string[]): unknown {
  const { status, stdout, stderr } = spawnSync(tool ?? '', words, { encoding: 'utf8', cwd: examples });
  return { status, said: `${stdout}${stderr}` };
}

/** The script on ports of its own, on a machine whose Node is too old. */
async function tryIt(...words: readonly string[]) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'node'), '#!/bin/sh\necho "this Node is too old" >&2\nexit 1\n', { mode: 0o755 });
  const ports = { graphwarden: await freePort(), prometheus: await freePort(), alertmanager: await freePort() };
  const env = {
    ...process.env,
    PATH: `${folder}:${process.env.PATH}`,
    GRAPHWARDEN_PORT: String(ports.graphwarden),
    PROMETHEUS_PORT: String(ports.prometheus),
    ALERTMANAGER_PORT: String(ports.alertmanager),
  };
  const [command = ''] = guideBlocks('README.md', 'Dashboards, rules and traces');
  return { child: startChild(resolve(command.trim()), words, { env }), ports };
}

async function isServed(port: number, path: string): Promise<boolean> {
  return send(`http://127.0.0.1:${port}${path}`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

async function servedOf({ graphwarden, prometheus, alertmanager }: Awaited<ReturnType<typeof tryIt>>['ports']) {
  return Promise.all([
    isServed(graphwarden, '/-/healthy'),
    isServed(prometheus, '/-/healthy'),
    isServed(alertmanager, '/-/healthy'),
  ]);
}

describe('the example for containers', () => {
  const { services } = compose.parse(read('compose.yaml'));
  const all = Object.values(services);

  it('mounts existing files read-only', () => {
    const mounts = all.flatMap(({ volumes }) => volumes.map((volume) => volume.split(':')));
    expect(mounts.length).toBe(5);
    expect(mounts.filter(([from = '', , mode]) => !existsSync(join(examples, from)) || mode !== 'ro')).toEqual([]);
  });

  it('refers to files that exist in its mounts', () => {
    const named = all.flatMap(({ command = [] }) => command.join(' ').match(/\/graphwarden\/[\w./]+/g) ?? []);
    const { providers } = z
      .object({ providers: z.array(z.object({ options: z.object({ path: z.string() }) })) })
      .parse(read('grafana/dashboards/graphwarden.yaml'));
    const paths = [...named, ...providers.map(({ options }) => options.path)];
    expect(paths.length).toBe(3);
    const onDisk = paths.map((path) => path.replace('/graphwarden', join(examples, '..')));
    expect(onDisk.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('has all of them in one network, each published on loopback', () => {
    const { graphwarden, ...others } = services;
    expect(new Set(Object.values(others).map(({ network_mode }) => network_mode))).toEqual(
      new Set(['service:graphwarden']),
    );
    expect(graphwarden?.ports?.every((port) => /^127\.0\.0\.1:(\d+):\1$/.test(port))).toBe(true);
    expect(JSON.stringify(read('grafana/datasources/prometheus.yaml'))).toContain('"http://127.0.0.1:9090"');
  });
});

describe.skipIf(promtool === undefined)('the example for Prometheus', () => {
  it('is valid for promtool, with the rules', () => {
    expect(check(promtool, 'check', 'config', 'prometheus.yml')).toMatchObject({
      status: 0,
      said: expect.stringContaining('2 rule files found'),
    });
  });
});

describe.skipIf(amtool === undefined)('the example for Alertmanager', () => {
  it('is valid for amtool', () => {
    expect(check(amtool, 'check-config', 'alertmanager.yml')).toMatchObject({ status: 0 });
  });

  it.each([
    ['GraphwardenWatchdog', 'info', 'heartbeat'],
    ['GraphdbNodeUnreachable', 'critical', 'people'],
    ['GraphdbServiceFlapping', 'warning', 'people'],
  ])('routes %s, which is %s, to %s', (alertname, severity, receiver) => {
    const labels = [`alertname=${alertname}`, `severity=${severity}`];
    expect(check(amtool, 'config', 'routes', 'test', '--config.file=alertmanager.yml', ...labels)).toMatchObject({
      status: 0,
      said: expect.stringMatching(new RegExp(`^${receiver}$`, 'm')),
    });
  });
});

describe.skipIf(!isComplete)('the script without containers', () => {
  it('sends an alert of the demo to Alertmanager, and stops all processes', async () => {
    const { child, ports } = await tryIt('--until', 'GraphdbQueryAborted');
    expect(await child.ended, child.stderr()).toBe(0);
    expect(child.stdout()).toMatch(/Queries were aborted on m\d of simulated by the policy runaway/);
    expect(await servedOf(ports)).toEqual([false, false, false]);
  }, 320_000);

  it('stops every process that it started on SIGTERM', async () => {
    const { child, ports } = await tryIt();
    await eventually('all three answer', async () => (await servedOf(ports)).every(Boolean));
    expect(await child.stop()).toBe(0);
    expect(await servedOf(ports)).toEqual([false, false, false]);
  });
});
