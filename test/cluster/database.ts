import { afterAll } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { create } from '../support/cluster/api.ts';
import { gateway } from '../support/cluster/places.ts';

const port = 14_240;
/** Labels of the pods of the database. */
export const databaseLabels = { app: 'prod-database' } as const;

/** Container of the database: it connects each client to the simulated node with the number of its pod. */
function relay(first: number): string {
  return `const net = require('node:net');
const target = ${first} + Number(process.env.HOSTNAME.replace(/.*-/, ''));
net.createServer((client) => {
  const server = net.connect(target, '${gateway}');
  for (const [one, other] of [[client, server], [server, client]]) one.on('error', () => other.destroy()).on('close', () => other.destroy()).pipe(other);
}).listen(${port}, '0.0.0.0');
process.on('SIGTERM', () => process.exit(0));`;
}

/**
 * Creates the StatefulSet «prod» with the headless Service of its three nodes, which are simulated on ports from `first`
 * on until the end of the test file. `placement` has further fields of its pods.
 */
export async function createDatabase(namespace: string, first: number, placement: object = {}): Promise<Simulator> {
  const ports = [first, first + 1, first + 2];
  const simulator = await startSimulator({ host: gateway, ports }, { listen, clock: systemClock });
  afterAll(() => simulator.close());
  await create(`/api/v1/namespaces/${namespace}/services`, {
    metadata: { name: 'prod-internal-service' },
    spec: { clusterIP: 'None', selector: databaseLabels, ports: [{ name: 'nginx', port }] },
  });
  await create(`/apis/apps/v1/namespaces/${namespace}/statefulsets`, {
    metadata: { name: 'prod' },
    spec: {
      serviceName: 'prod-internal-service',
      replicas: ports.length,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: databaseLabels },
      template: { metadata: { labels: databaseLabels }, spec: { ...podOf(relay(first)), ...placement } },
    },
  });
  return simulator;
}

/** A pod with Node for a script, under the «restricted» standard. */
export function podOf(script: string): object {
  return {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 5,
    securityContext: { runAsNonRoot: true, runAsUser: 20_000, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'database',
        image: 'example.org/database:1.0.0',
        command: ['/nodejs/bin/node', '-e', script],
        resources: { limits: { cpu: '1', memory: '1Gi' } },
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
  };
}
