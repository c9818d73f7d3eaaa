import { describe, expect, it } from 'vitest';
import { schema } from '../../src/collect/schema.ts';
import { ok } from '../../src/kernel/result.ts';
import type { GraphSchema, SchemaList, SchemaObject } from '../../src/model/schema.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

function list(object: SchemaObject, ...names: readonly string[]): SchemaList {
  return { object, count: names.length, items: names.map((name) => ({ object, name, parts: [] })) };
}

const noJobs = list('schema_change_job');
const fraud: GraphSchema = {
  graph: 'fraud',
  attributes: 5,
  lists: [list('vertex_type', 'fraud/Account', 'fraud/Person'), list('edge_type', 'fraud/owns'), noJobs],
};

function account(...parts: readonly string[]): SchemaList {
  return { object: 'vertex_type', count: 1, items: [{ object: 'vertex_type', name: 'fraud/Account', parts }] };
}

function facts(schemas: readonly GraphSchema[], graphs = ['fraud'], globalJobs: SchemaList | undefined = noJobs) {
  return { graphs, schemas, globalJobs };
}

describe('schema', () => {
  it('shows the number of graphs, and of the objects of each graph by kind', async () => {
    const { error, lines, calls } = await pollOnce(schema, {
      graphs: ok(['fraud']),
      globalSchemaJobs: ok(list('schema_change_job', 'migrate')),
      graphSchema: { fraud: ok(fraud) },
    });
    expect(error).toBeUndefined();
    expect(calls).toEqual(['graphs', 'globalSchemaJobs', 'graphSchema fraud']);
    expect(lines).toEqual([
      'graphdb_graphs 1',
      'graphdb_schema_objects{graph="fraud",object="vertex_type"} 2',
      'graphdb_schema_objects{graph="fraud",object="edge_type"} 1',
      'graphdb_schema_objects{graph="fraud",object="schema_change_job"} 0',
      'graphdb_schema_objects{graph="fraud",object="attribute"} 5',
      'graphdb_schema_objects{graph="",object="schema_change_job"} 1',
      'graphdb_schema_uncompared_objects 0',
      'graphdb_schema_uncounted_graphs 0',
    ]);
  });

  it('omits the jobs of all graphs if the server does not list them', async () => {
    const { error, lines } = await pollOnce(schema, {
      graphs: ok(['fraud']),
      globalSchemaJobs: failed('unsupported'),
      graphSchema: { fraud: ok(fraud) },
    });
    expect(error).toBeUndefined();
    expect(lines.filter((line) => line.includes('graph=""'))).toEqual([]);
  });

  it('requests the first graphs only, and counts the others and the objects beyond the limit', async () => {
    const graphs = Array.from({ length: 1000 }, (_, at) => `g${String(at).padStart(4, '0')}`);
    const large = { ...list('vertex_type', 'a'), count: 10_000 };
    const requested = Object.fromEntries(
      graphs
        .slice(0, 100)
        .map((graph) => [graph, ok({ graph, attributes: 0, lists: graph === 'g0000' ? [large] : [] })]),
    );
    const script = { graphs: ok(graphs), globalSchemaJobs: ok(noJobs), graphSchema: requested };
    const { lines, calls } = await pollOnce(schema, script);
    expect(calls).toHaveLength(102);
    expect(lines.slice(-2)).toEqual(['graphdb_schema_uncompared_objects 9999', 'graphdb_schema_uncounted_graphs 900']);
  });

  it('reports graphs, types, indexes and jobs that were added, removed or changed', () => {
    const inventory = schema.inventory ?? expect.fail('no inventory');
    const noIndex = { object: 'index', count: 0, items: [] } as const;
    const before = facts([{ ...fraud, lists: [account('balance DOUBLE', 'kind STRING'), noIndex] }], ['fraud', 'old']);
    const after = facts(
      [{ ...fraud, lists: [account('balance DOUBLE', 'risk FLOAT'), list('index', 'fraud/"by\n<b>')] }],
      ['fraud', 'new'],
      list('schema_change_job', 'migrate'),
    );
    expect(inventory.objects).toEqual(['graph', 'vertex_type', 'edge_type', 'index', 'schema_change_job']);
    const found = [...inventory.changes(before, after)].map((one) => [one.object, one.change, one.name, one.detail]);
    expect(found).toEqual([
      ['graph', 'added', 'new', ''],
      ['graph', 'removed', 'old', ''],
      ['vertex_type', 'changed', 'fraud/Account', '-kind STRING, +risk FLOAT'],
      ['index', 'added', 'fraud/"by\n<b>', ''],
      ['schema_change_job', 'added', 'migrate', ''],
    ]);
  });

  it('reports no change of a list that was missing in one poll, or of a graph that the limit newly includes', () => {
    const inventory = schema.inventory ?? expect.fail('no inventory');
    const whole = facts([{ ...fraud, lists: [account('balance DOUBLE'), list('index', 'fraud/by')] }], ['fraud', 'b']);
    const lacking = facts([{ ...fraud, lists: [account('balance DOUBLE')] }], ['fraud', 'b']);
    const moved = facts([{ ...fraud, graph: 'b', lists: [list('vertex_type', 'b/T')] }], ['fraud', 'b']);
    for (const other of [lacking, moved]) {
      expect([...inventory.changes(whole, other), ...inventory.changes(other, whole)]).toEqual([]);
    }
  });

  it('keeps the graphs that answered when another fails', async () => {
    const { error, lines } = await pollOnce(schema, {
      graphs: ok(['fraud', 'risk']),
      globalSchemaJobs: ok(noJobs),
      graphSchema: { fraud: ok(fraud), risk: failed('auth') },
    });
    expect(error?.reason).toBe('auth');
    expect(lines).toContain('graphdb_schema_objects{graph="fraud",object="vertex_type"} 2');
  });

  it.each(['unsupported', 'auth'] as const)('returns the failure %s of a graph unchanged', async (reason) => {
    const script = { graphs: ok(['g']), globalSchemaJobs: failed('unsupported'), graphSchema: { g: failed(reason) } };
    const { error, lines } = await pollOnce(schema, script);
    expect([error?.reason, lines]).toEqual([reason, []]);
  });

  it('fails if the jobs of all graphs fail, unless the server does not support them', async () => {
    const { error } = await pollOnce(schema, { graphs: ok(['g']), globalSchemaJobs: failed('auth') });
    expect(error?.reason).toBe('auth');
  });
});
