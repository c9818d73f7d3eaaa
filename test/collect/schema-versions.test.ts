import { describe, expect, it } from 'vitest';
import { schemaVersions } from '../../src/collect/schema-versions.ts';
import { ok } from '../../src/kernel/result.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

describe('schema_versions', () => {
  it('shows the version of each graph', async () => {
    const { error, lines, calls } = await pollOnce(schemaVersions, {
      graphs: ok(['fraud', 'risk']),
      schemaVersion: { fraud: ok({ graph: 'fraud', version: 3 }), risk: ok({ graph: 'risk', version: 0 }) },
    });
    expect(error).toBeUndefined();
    expect(calls).toEqual(['graphs', 'schemaVersion fraud', 'schemaVersion risk']);
    expect(lines).toEqual([
      'graphdb_schema_version{graph="fraud"} 3',
      'graphdb_schema_version{graph="risk"} 0',
      'graphdb_schema_version_uncounted_graphs 0',
    ]);
  });

  it('requests the first graphs only, and counts the others', async () => {
    const graphs = Array.from({ length: 1000 }, (_, at) => `g${String(at).padStart(4, '0')}`);
    const requested = Object.fromEntries(graphs.slice(0, 30).map((graph) => [graph, ok({ graph, version: 1 })]));
    const { lines, calls } = await pollOnce(schemaVersions, { graphs: ok(graphs), schemaVersion: requested });
    expect(calls).toHaveLength(31);
    expect(lines.at(-1)).toBe('graphdb_schema_version_uncounted_graphs 970');
  });

  it('keeps the graphs that answered when another fails', async () => {
    const answers = { fraud: ok({ graph: 'fraud', version: 3 }), risk: failed('auth') };
    const script = { graphs: ok(['fraud', 'risk']), schemaVersion: answers };
    const { error, lines } = await pollOnce(schemaVersions, script);
    expect([error?.reason, lines[0]]).toEqual(['auth', 'graphdb_schema_version{graph="fraud"} 3']);
  });

  it.each(['unsupported', 'auth'] as const)('returns the failure %s unchanged', async (reason) => {
    const { error, lines } = await pollOnce(schemaVersions, {
      graphs: ok(['g']),
      schemaVersion: { g: failed(reason) },
    });
    expect([error?.reason, lines]).toEqual([reason, []]);
  });
});
