import { z } from 'zod';
import { readJson } from '../../test/support/http.ts';

/** Cluster of the configuration that has the upstream as its only node. */
export function upstreamCluster(port: number) {
  return {
    name: 'bench',
    nodes: [{ name: 'm1', url: `http://127.0.0.1:${port}`, host_id: 'm1', instance: 'RESTPP_1_1' }],
    server_version: '4.1',
    metric_prefix: 'svc_',
    graphs: ['bench'],
  };
}

const off = { enabled: false };

/** Settings that disable all collectors except `metrics`. */
export const collectorsOff = {
  health: off,
  categories: off,
  services: off,
  statistics: off,
  queries: off,
  delayed_queries: off,
  workload_queues: off,
  license: off,
  consistency: off,
};

/** Returns the number of responses of the upstream to each client. */
export async function answersOf(port: number): Promise<Readonly<Record<string, number>>> {
  return z.record(z.string(), z.number()).parse(await readJson(`http://127.0.0.1:${port}/answers`));
}
