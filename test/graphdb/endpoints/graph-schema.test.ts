import { describe, expect, it } from 'vitest';
import {
  fetchGlobalSchemaJobs,
  fetchGraphSchema,
  fetchSchemaVersion,
} from '../../../src/graphdb/endpoints/graph-schema.ts';
import type { GraphSchema, SchemaObject } from '../../../src/model/schema.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const lacking = answer({ error: true, message: 'no such endpoint' }, 404);

interface Replies {
  readonly schema?: unknown;
  readonly indexes?: ReturnType<typeof answer>;
  readonly jobs?: ReturnType<typeof answer>;
}

function success(results: unknown): ReturnType<typeof answer> {
  return answer({ error: false, message: '', results });
}

function read(
  { schema = documented, indexes = success([]), jobs = success([]) }: Replies,
  version = '4.1',
  prefix = '/gsql/v1',
): ReturnType<typeof fetchGraphSchema> {
  const pool = new FakePool(
    [`GET ${prefix}/schema?graph=fraud`, success(schema)],
    [`GET ${prefix}/schema/indexes?graph=fraud`, indexes],
    [`GET ${prefix}/schema/jobs?graph=fraud&json=true`, jobs],
  );
  return fetchGraphSchema(callerOver(pool, { serverVersion: version }), 'fraud', neverAborted());
}

function attribute(name: string, type: string, more: object = {}): object {
  return { AttributeName: name, AttributeType: { Name: type }, ...more };
}

const documented = {
  GraphName: 'fraud',
  VertexTypes: [
    {
      Name: 'Account',
      Config: { STATS: 'OUTDEGREE_BY_EDGETYPE' },
      Attributes: [attribute('name', 'STRING', { IsPrimaryKey: true }), attribute('isBlocked', 'BOOL')],
      PrimaryId: attribute('name', 'STRING', { IsPrimaryKey: true }),
    },
  ],
  EdgeTypes: [
    {
      Name: 'Transfer',
      IsDirected: true,
      FromVertexTypeName: 'Account',
      ToVertexTypeName: 'Account',
      Config: { REVERSE_EDGE: 'Transfer_Reverse' },
      Attributes: [attribute('date', 'DATETIME', { IsDiscriminator: true }), attribute('amount', 'UINT')],
    },
  ],
};

function namesOf({ lists }: GraphSchema, object: SchemaObject): readonly string[] | undefined {
  return lists.find((list) => list.object === object)?.items.map(({ name }) => name);
}

describe('the schema of a graph', () => {
  it.each([
    ['4.1', '/gsql/v1'],
    ['3.9', '/gsqlserver/gsql'],
  ])('is requested in the path form of %s', async (version, prefix) => {
    const indexes = success([{ Account: [{ index: 'by_name', attribute: 'name' }] }]);
    const jobs = success([{ add_risk: 'CREATE SCHEMA_CHANGE JOB add_risk FOR GRAPH fraud { }' }]);
    expect(factsOf(await read({ indexes, jobs }, version, prefix))).toEqual({
      graph: 'fraud',
      attributes: 4,
      lists: [
        {
          object: 'vertex_type',
          count: 1,
          items: [
            expect.objectContaining({
              name: 'fraud/Account',
              parts: ['primary id name STRING primary key', 'name STRING primary key', 'isBlocked BOOL'],
            }),
          ],
        },
        {
          object: 'edge_type',
          count: 1,
          items: [
            expect.objectContaining({
              name: 'fraud/Transfer',
              parts: [
                'directed',
                'from Account to Account',
                'reverse edge Transfer_Reverse',
                'date DATETIME discriminator',
                'amount UINT',
              ],
            }),
          ],
        },
        { object: 'index', count: 1, items: [{ object: 'index', name: 'fraud/by_name', parts: ['Account.name'] }] },
        {
          object: 'schema_change_job',
          count: 1,
          items: [{ object: 'schema_change_job', name: 'fraud/add_risk', parts: [] }],
        },
      ],
    });
  });

  it('has no lists of indexes and jobs if the server does not have them', async () => {
    const facts = factsOf(await read({ indexes: lacking, jobs: lacking }));
    expect(facts.lists.map(({ object }) => object)).toEqual(['vertex_type', 'edge_type']);
  });

  it('ignores unknown fields, and accepts absent ones', async () => {
    const vertex = { Name: 'V', Attributes: [attribute('tags', 'LIST', { Deep: [1] }), { AttributeName: 'bare' }, 7] };
    const edges = [
      {
        Name: 'E',
        EdgePairs: [
          { From: 'V', To: 'W' },
          { From: 'W', To: 'V' },
        ],
      },
      { Name: 'bare' },
    ];
    const schema = { VertexTypes: [vertex], EdgeTypes: edges, Unknown: {} };
    const facts = factsOf(await read({ schema }));
    expect(facts.attributes).toBe(2);
    expect(facts.lists.flatMap(({ items }) => items).map(({ name, parts }) => [name, parts])).toEqual([
      ['fraud/V', ['tags LIST', 'bare ']],
      ['fraud/E', ['undirected', 'from V to W', 'from W to V']],
      ['fraud/bare', ['undirected', 'from  to ']],
    ]);
  });

  it.each([{}, null, { Name: 5 }])(
    'fails with the reason body if a type has no valid name, because it would seem to be dropped: %j',
    async (type) => {
      for (const schema of [
        { VertexTypes: [{ Name: 'V' }, type], EdgeTypes: [] },
        { VertexTypes: [], EdgeTypes: [type] },
      ])
        expect(failureOf(await read({ schema }))).toMatchObject({ reason: 'body' });
    },
  );

  it('states the types inside of a collection, and indexes', async () => {
    const type = { Name: 'MAP', KeyTypeName: 'STRING', ValueTypeName: 'INT' };
    const vertex = { Name: 'V', Attributes: [{ AttributeName: 'm', AttributeType: type, HasIndex: true }] };
    const facts = factsOf(await read({ schema: { VertexTypes: [vertex], EdgeTypes: [] } }));
    expect(facts.lists[0]?.items[0]?.parts).toEqual(['m MAP<STRING, INT> indexed']);
  });

  it('counts all types, and keeps the first thousand of a kind with their first parts', async () => {
    const attributes = Array.from({ length: 300 }, (_, at) => attribute(`a${at}`, 'INT'));
    const many = Array.from({ length: 10_000 }, (_, at) => ({
      Name: `V${at}`,
      Attributes: at === 0 ? attributes : [],
    }));
    const { lists, attributes: counted } = factsOf(await read({ schema: { VertexTypes: many, EdgeTypes: [] } }));
    expect([lists[0]?.count, lists[0]?.items.length, counted]).toEqual([10_000, 1000, 300]);
    expect(lists[0]?.items[0]?.parts).toHaveLength(200);
  });

  it.each(['"><b>', 'a\nb', '__proto__', "it's"])('accepts the name %j', async (name) => {
    const schema = { VertexTypes: [{ Name: name }], EdgeTypes: [] };
    const indexes = success([JSON.parse(`{${JSON.stringify(name)}: [{"index": "i", "attribute": "a"}]}`)]);
    const facts = factsOf(await read({ schema, indexes }));
    expect(namesOf(facts, 'vertex_type')).toEqual([`fraud/${name}`]);
    expect(namesOf(facts, 'index')).toEqual(name === '__proto__' ? [] : ['fraud/i']);
  });

  it.each([
    [401, 'auth'],
    [404, 'unsupported'],
  ] as const)('is a failure for the status %i: %s', async (status, reason) => {
    const pool = new FakePool(['GET /gsql/v1/schema?graph=fraud', answer({ error: true }, status)]);
    const caller = callerOver(pool, { serverVersion: '4.1' });
    expect(failureOf(await fetchGraphSchema(caller, 'fraud', neverAborted())).reason).toBe(reason);
  });

  it('is a failure if the list of indexes is refused', async () => {
    const pool = new FakePool(
      ['GET /gsql/v1/schema?graph=fraud', success(documented)],
      ['GET /gsql/v1/schema/indexes?graph=fraud', answer({ error: true }, 403)],
    );
    const failure = failureOf(
      await fetchGraphSchema(callerOver(pool, { serverVersion: '4.1' }), 'fraud', neverAborted()),
    );
    expect([failure.reason, failure.message]).toEqual([
      'auth',
      'GET /gsql/v1/schema/indexes on m1: the server responded with status 403',
    ]);
  });

  it('fails with the reason body for an answer without types', async () => {
    const pool = new FakePool(['GET /gsql/v1/schema?graph=fraud', success([])]);
    const caller = callerOver(pool, { serverVersion: '4.1' });
    expect(failureOf(await fetchGraphSchema(caller, 'fraud', neverAborted())).reason).toBe('body');
  });

  it.each(['../drop-all', 'a&flag=-force', ''])('is not requested for the graph %j', async (graph) => {
    const caller = callerOver(new FakePool(), { serverVersion: '4.1' });
    expect(failureOf(await fetchGraphSchema(caller, graph, neverAborted())).reason).toBe('unsupported');
  });
});

describe('the schema change jobs of all graphs', () => {
  it('are listed by name', async () => {
    const pool = new FakePool(['GET /gsql/v1/schema/jobs?json=true', success([{ a: 'text', b: 'text' }, 7])]);
    const caller = callerOver(pool, { serverVersion: '4.1' });
    const { count, items } = factsOf(await fetchGlobalSchemaJobs(caller, neverAborted()));
    expect([count, items.map(({ name }) => name)]).toEqual([2, ['a', 'b']]);
  });
});

function readVersion(reply: unknown): ReturnType<typeof fetchSchemaVersion> {
  const pool = new FakePool(['POST /restpp/builtins/fraud', answer(reply)]);
  return fetchSchemaVersion(callerOver(pool, { serverVersion: '4.1' }), 'fraud', neverAborted());
}

describe('the version of the schema', () => {
  it.each([
    [3, 3],
    ['7', 7],
    [0, 0],
  ])('%j is in the envelope of a reply', async (schema, expected) => {
    const facts = factsOf(await readVersion({ version: { api: 'v2', schema }, error: false, results: [] }));
    expect(facts).toEqual({ graph: 'fraud', version: expected });
  });

  it.each([
    { error: false, results: [] },
    { version: {}, error: false },
    { version: { schema: 'x' }, error: false },
  ])('fails with the reason body for the reply %j', async (reply) => {
    expect(failureOf(await readVersion(reply)).reason).toBe('body');
  });
});
