import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Simulator } from '../../src/simulator/simulator.ts';
import { keyPair, tlsFolder } from '../support/tls.ts';
import { outcomesOf } from './guard-api-client.ts';
import { abortCalls, type EnvironmentSettings, startGuardEnvironment } from './guard-environment.ts';

const guard = {
  mode: 'enforce',
  policies: [{ name: 'runaway', mode: 'enforce', when: { query: 'ring_*', age: '> 20s' }, grace: '10s' }],
};
const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 3_600_000, timeout: 3_600_000 };
const secret = 'a-secret-of-the-graph-0123456789';

type Kind = Omit<EnvironmentSettings, 'guard'>;

function byName(nodes: Simulator['nodes']) {
  return nodes.map(({ name, port, instance }) => ({ name, url: `http://localhost:${port}`, instance }));
}

const kinds: readonly (readonly [string, Kind])[] = [
  ['3.9', { simulated: { version: '3.9.3' } }],
  ['3.11', { simulated: { version: '3.11.0' } }],
  ['4.3', { simulated: { version: '4.3.0' } }],
  ['a name for its address', { simulated: { host: 'localhost' }, nodesOf: byName }],
  [
    'a certificate',
    { simulated: { tls: keyPair('server') }, cluster: { tls: { ca_file: join(tlsFolder, 'ca.pem') } } },
  ],
  [
    'tokens for a secret',
    { simulated: { auth: { kind: 'secret', secret } }, cluster: { read_auth: { secret }, abort_auth: { secret } } },
  ],
];

it.each(kinds)('guard aborts the matching queries on a server with %s', async (_, settings) => {
  const environment = await startGuardEnvironment({ guard, ...settings });
  onTestFinished(() => environment.stop());
  const query = environment.simulator.control.startQuery(order);
  await environment.run(60_000);
  const [call] = abortCalls(environment.simulator);
  const reaction = (call?.at ?? Number.NaN) - (query?.startedAt ?? Number.NaN) - 30_000;
  expect([reaction >= 0, reaction < 250, reaction]).toEqual([true, true, reaction]);
  expect(environment.simulator.aborts().map(({ requestId }) => requestId)).toEqual([query?.requestId]);
  expect(await outcomesOf(environment)).toEqual(['confirmed']);
});
