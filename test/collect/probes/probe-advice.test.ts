import { describe, expect, it } from 'vitest';
import { probeFailureReasons } from '../../../src/collect/probes/probe.ts';
import { adviceOnProbe } from '../../../src/collect/probes/probe-advice.ts';
import { probesSection } from '../../../src/collect/probes/settings.ts';

const account = { type: 'Account', id: 'secret-id' };
const ends = { sources: [account], targets: [account] };
const tasks = {
  installed_query: { query: 'ring_scan', parameters: { id: 'secret-id' } },
  interpreted_query: { statement: 'INTERPRET QUERY () FOR GRAPH fraud { PRINT 1; }' },
  template_query: { template: 'GDBMS_ALGO.centrality.pagerank' },
  vertex: account,
  edges: { source_type: 'Account', source_id: 'secret-id' },
  shortest_path: ends,
  all_paths: { ...ends, max_length: 2 },
  write_heartbeat: {},
};
const kinds = Object.keys(tasks);
const probes = Object.fromEntries(
  probesSection
    .parse(Object.entries(tasks).map(([kind, task]) => ({ name: 'ring', graph: 'fraud', [kind]: task })))
    .map((probe) => [probe.kind, probe]),
);

function adviceFor(kind: string, reason: (typeof probeFailureReasons)[number]): string {
  return adviceOnProbe(reason, probes[kind] ?? expect.fail(`no probe of the kind ${kind}`));
}

describe('advice on a probe', () => {
  it.each(kinds)('of the kind %s is a sentence without ids and parameters for each reason', (kind) => {
    for (const reason of probeFailureReasons) {
      expect(adviceFor(kind, reason)).toMatch(/^[A-Z].{20,}[.]$/);
      expect(adviceFor(kind, reason)).not.toContain('secret-id');
    }
  });

  it.each([
    ['installed_query', 'unsupported', 'Install the query ring_scan on the graph fraud'],
    ['installed_query', 'auth', 'GRANT PRIVILEGE EXECUTE_QUERY, READ_DATA ON GRAPH fraud TO a role'],
    ['installed_query', 'status', 'Compare the parameters'],
    ['installed_query', 'count', 'correct assert.count of the probe ring'],
    ['installed_query', 'value', 'correct assert.values of the probe ring'],
    ['installed_query', 'age', 'correct assert.age of the probe ring'],
    ['installed_query', 'latency', 'raise assert.max_latency of the probe ring'],
    ['installed_query', 'timeout', 'raise timeout of the probe ring'],
    ['vertex', 'body', 'no such vertex of the type Account'],
    ['edges', 'body', 'no such source vertex of the type Account'],
    ['template_query', 'unsupported', 'no template GDBMS_ALGO.centrality.pagerank'],
    ['write_heartbeat', 'auth', 'EXECUTE_LOADINGJOB on the graph'],
    ['write_heartbeat', 'rejected', 'Create the vertex type and the loading job graphwarden_heartbeat'],
    ['write_heartbeat', 'not_visible', 'Writes do not reach'],
    ['write_heartbeat', 'not_deleted', 'Grant DELETE_DATA'],
  ] as const)('of the kind %s on %s names the fix', (kind, reason, fix) => {
    expect(adviceFor(kind, reason)).toContain(fix);
  });
});
