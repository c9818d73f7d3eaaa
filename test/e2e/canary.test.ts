import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import type { SimulatedAuth } from '../../src/simulator/options.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { send } from '../support/http.ts';
import { startInProcessDaemon } from '../support/in-process-daemon.ts';

const canary = 'canary-3f9a71c2d4';
const folder = mkdtempSync(join(tmpdir(), 'graphwarden-canary-'));
const file = join(folder, 'secret');
writeFileSync(file, `${canary}\n`);

const wanted: SimulatedAuth = { kind: 'bearer', token: 'another token' };
const cases: readonly (readonly [string, SimulatedAuth, Readonly<Record<string, unknown>>])[] = [
  ['a good bearer token', { kind: 'bearer', token: canary }, { bearer_token_file: file }],
  ['a refused bearer token', wanted, { bearer_token: canary }],
  [
    'a good password',
    { kind: 'basic', username: 'u', password: canary },
    { basic: { username: 'u', password_file: file } },
  ],
  ['a refused password', wanted, { basic: { username: 'u', password: canary } }],
  ['a good secret', { kind: 'secret', secret: canary }, { secret_file: file }],
  ['a refused secret', wanted, { secret: canary }],
];

describe('a planted secret', () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(cases)('is not shown in any output: %s', async (_, auth, readAuth) => {
    const simulator = await startSimulator({ nodes: 1, auth }, { listen, clock: systemClock });
    const nodes = simulator.nodes.map(({ name, url }) => ({ name, url }));
    const daemon = await startInProcessDaemon({ clusters: [{ name: 'c', nodes, read_auth: readAuth }] });
    const paths = [
      '/',
      '/metrics',
      '/probe?target=c',
      '/api/v1/clusters',
      '/api/v1/collectors',
      '/api/v1/checks',
      '/nowhere',
    ];
    const replies = await Promise.all(paths.map((path) => send(daemon.url + path)));
    await daemon.stop();
    const requested = JSON.stringify(simulator.calls().map(({ path, query }) => path + query));
    await simulator.close();
    const everything = [
      ...replies.map(({ text, headers }) => text + JSON.stringify(headers)),
      JSON.stringify(daemon.log),
      requested,
    ];
    for (const form of [canary, Buffer.from(`u:${canary}`).toString('base64'), encodeURIComponent(canary)]) {
      expect(everything.filter((text) => text.includes(form))).toEqual([]);
    }
    expect(everything.join('')).toContain('graphdb_up');
  });
});
