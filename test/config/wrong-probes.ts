/** A definition of `probes` with one mistake, and the problem that it must get. */
export interface WrongProbe {
  readonly title: string;
  readonly probe: object;
  /** Key path below the probe, message and hint. */
  readonly problem: string;
}

/** Probe without a mistake. */
export const goodProbe = { name: 'ring', graph: 'fraud', installed_query: { query: 'ring_scan' } };

const without = { installed_query: undefined };
const end = { type: 'Account', id: 'a' };
const ends = { sources: [end], targets: [end] };
const schemaName = 'must be a name of the schema: letters, digits and underscores, without a digit at the start';
const idRule =
  'must be 1 to 512 characters, other than control characters and / \\ % ? #, and more than dots; use a query for other ids';
const oneKind =
  'needs exactly one of installed_query, interpreted_query, template_query, vertex, edges, shortest_path, all_paths or write_heartbeat';
const value =
  'must be a text, a number, true, false, a vertex { id, type }, a list of up to 1000 of these, or { map: { key: value } }';

function wrong(title: string, change: object, problem: string): WrongProbe {
  return { title, probe: { ...goodProbe, ...change }, problem };
}

function query(title: string, change: object, problem: string): WrongProbe {
  return wrong(title, { installed_query: { query: 'ring_scan', ...change } }, `installed_query.${problem}`);
}

function kind(title: string, section: object, problem: string): WrongProbe {
  return wrong(title, { ...without, ...section }, problem);
}

function statement(title: string, text: string, problem: string): WrongProbe {
  const section = { interpreted_query: { statement: text } };
  return kind(title, section, `interpreted_query.statement: ${problem}`);
}

function assertion(title: string, assert: object, problem: string): WrongProbe {
  return wrong(title, { assert }, `assert.${problem}`);
}

/** One mistake each. */
export const wrongProbes: readonly WrongProbe[] = [
  wrong(
    'a name with a dash',
    { name: 'ring-scan' },
    'name: must be 1 to 48 lower-case letters, digits or underscores, without a digit at the start',
  ),
  wrong('no name', { name: undefined }, 'name: is required (for example `name: ring_scan`)'),
  wrong('no graph', { graph: undefined }, 'graph: is required (for example `graph: fraud`)'),
  wrong(
    'a graph with a slash',
    { graph: 'a/b' },
    'graph: must be the name of a graph: letters, digits and underscores, without a digit at the start',
  ),
  wrong('a mistyped key', { intervall: '1m' }, 'intervall: unknown key `intervall` (did you mean `interval`?)'),
  kind('no kind', {}, oneKind),
  wrong('two kinds', { vertex: end }, oneKind),
  wrong(
    'an interval below 5s',
    { interval: '1s', timeout: '1s' },
    'interval: must be 5s or longer, because each run costs the server work',
  ),
  wrong(
    'an interval without a unit',
    { interval: '30' },
    'interval: is not a duration: write a number with a unit, such as 250ms, 10s, 5m or 1h30m',
  ),
  wrong(
    'a timeout above the interval',
    { timeout: '2m' },
    'timeout: must not be longer than the interval; lower it, or raise interval',
  ),
  wrong('a timeout of zero', { timeout: '0s' }, 'timeout: must be longer than 0s'),
  wrong('an unknown word for nodes', { nodes: 'some' }, 'nodes: must be one, all, or a list of names of nodes'),
  wrong('no nodes', { nodes: [] }, 'nodes: must have at least 1 entry'),
  wrong(
    'a node that does not exist',
    { nodes: ['m9'] },
    'nodes[0]: is not a node of these clusters (did you mean `m1`?)',
  ),
  wrong(
    'a cluster that does not exist',
    { clusters: ['prd'] },
    'clusters[0]: is not a configured cluster (did you mean `prod`?)',
  ),
  wrong('no clusters', { clusters: [] }, 'clusters: must have at least 1 entry'),
  wrong('an objective of 1', { slo: { objective: 1 } }, 'slo.objective: must be a share between 0 and 1, such as 0.99'),
  wrong(
    'an objective in percent',
    { slo: { objective: 99 } },
    'slo.objective: must be a share between 0 and 1, such as 0.99',
  ),
  wrong('a window below 5m', { slo: { window: '1m' } }, 'slo.window: must be 5m to 30d'),
  wrong(
    'a mistyped key of the objective',
    { slo: { windw: '1h' } },
    'slo.windw: unknown key `windw` (did you mean `window`?)',
  ),
  query(
    'a path as the query',
    { query: '/query/fraud/q' },
    'query: must be the name of an installed query, without graph, path or parameters; write these into graph and parameters',
  ),
  query('an unknown method', { method: 'put' }, 'method: must be one of get, post'),
  query(
    'a parameter with a space',
    { parameters: { 'a b': 1 } },
    'parameters.…: is not the name of a parameter: letters, digits and underscores, without a digit at the start',
  ),
  query('a null as a parameter', { parameters: { a: null } }, `parameters.a: ${value}`),
  query('a nested list', { parameters: { a: [[1]] } }, `parameters.a: ${value}`),
  query(
    'a vertex with an unknown key',
    { parameters: { a: { id: 'x', typ: 'A' } } },
    'parameters.a.typ: unknown key `typ` (remove it)',
  ),
  query(
    'a map with GET',
    { parameters: { m: { map: { a: 1 } } } },
    'parameters: has the map m, which no query string can carry; set method: post',
  ),
  query(
    'a list of values and vertices',
    { parameters: { l: [1, { id: 'a' }] } },
    'parameters: has the list l of different kinds; use one kind of value, and a type for all or none',
  ),
  query(
    'parameters that are too long for a URL',
    { parameters: { t: 'x'.repeat(6001) } },
    'parameters: has more than 6000 characters; set method: post',
  ),
  query('a replica of zero', { replica: 0 }, 'replica: must be at least 1'),
  query('half a thread', { thread_limit: 1.5 }, 'thread_limit: must be a whole number (for example `thread_limit: 2`)'),
  query(
    'memory without a unit',
    { memory_limit: '512' },
    'memory_limit: is not a size: write a number with a unit, such as 512KiB, 64MiB or 2GiB',
  ),
  query('memory below a megabyte', { memory_limit: '1KiB' }, 'memory_limit: must be 1MiB or more'),
  statement(
    'a statement that is no query',
    'DROP ALL',
    'must begin with INTERPRET QUERY (; install any other query, and name it in query',
  ),
  statement(
    'a statement on another graph',
    'INTERPRET QUERY () FOR GRAPH risk { PRINT 1; }',
    'names another graph than the key graph; use one of them for both',
  ),
  statement(
    'a statement that deletes',
    'INTERPRET QUERY () FOR GRAPH fraud { DELETE s; PRINT 1; }',
    'contains DELETE; only queries that read are allowed',
  ),
  statement(
    'a statement that prints nothing',
    'INTERPRET QUERY () FOR GRAPH fraud { }',
    'prints nothing; add a PRINT statement',
  ),
  kind(
    'an interpreted query with a map',
    { interpreted_query: { statement: 'x', parameters: { m: { map: {} } } } },
    'interpreted_query.parameters: has the map m, which no query string can carry; use an installed query',
  ),
  kind(
    'a template with a slash',
    { template_query: { template: 'GDBMS_ALGO/pagerank' } },
    'template_query.template: must be the name of a template query, such as GDBMS_ALGO.centrality.pagerank',
  ),
  kind(
    'a vertex without an id',
    { vertex: { type: 'Account' } },
    'vertex.id: must be the id of a vertex: a text or a whole number',
  ),
  kind('a vertex id with a slash', { vertex: { type: 'Account', id: '../x' } }, `vertex.id: ${idRule}`),
  kind('a type with a dash', { vertex: { type: 'Acc-ount', id: 'a' } }, `vertex.type: ${schemaName}`),
  kind('an attribute with a comma', { vertex: { ...end, select: ['a,b'] } }, `vertex.select[0]: ${schemaName}`),
  kind(
    'edges without a source',
    { edges: { source_type: 'A' } },
    'edges.source_id: must be the id of a vertex: a text or a whole number',
  ),
  kind(
    'a target type without an edge type',
    { edges: { source_type: 'A', source_id: 'a', target_type: 'B' } },
    'edges.target_type: requires edge_type, which precedes it in the path; set edge_type',
  ),
  kind(
    'a target without its type',
    { edges: { source_type: 'A', source_id: 'a', edge_type: 't', target_id: 'b' } },
    'edges.target_id: requires target_type; set the type of this vertex',
  ),
  kind(
    'a limit with a target',
    { edges: { source_type: 'A', source_id: 'a', edge_type: 't', target_type: 'B', target_id: 'b', limit: 1 } },
    'edges.limit: is not possible with target_id; remove one of them',
  ),
  kind('a limit of zero', { edges: { source_type: 'A', source_id: 'a', limit: 0 } }, 'edges.limit: must be at least 1'),
  kind('a path without a target', { shortest_path: { sources: [end] } }, 'shortest_path.targets: is required'),
  kind(
    'a path without a source',
    { shortest_path: { sources: [], targets: [end] } },
    'shortest_path.sources: must have at least 1 entry',
  ),
  kind(
    'all paths without a length',
    { all_paths: ends },
    'all_paths.max_length: is required (for example `max_length: 3`)',
  ),
  kind(
    'a path that is too long',
    { all_paths: { ...ends, max_length: 11 } },
    'all_paths.max_length: must be at most 10',
  ),
  kind(
    'a condition with a semicolon',
    { shortest_path: { ...ends, edge_filters: [{ type: 't', condition: 'a; b' }] } },
    'shortest_path.edge_filters[0].condition: must be one condition of 1 to 500 characters, such as amount > 100',
  ),
  kind(
    'a heartbeat with a vertex type',
    { write_heartbeat: { vertex_type: 'Account' } },
    'write_heartbeat.vertex_type: unknown key `vertex_type` (remove it)',
  ),
  kind(
    'a heartbeat every 5s',
    { write_heartbeat: {}, interval: '5s', timeout: '1s' },
    'interval: must be 10s or longer, because each run costs the server work',
  ),
  kind(
    'a heartbeat on each node',
    { write_heartbeat: {}, nodes: 'all' },
    'nodes: must be one for write_heartbeat, which reads on each node by itself; remove it',
  ),
  kind(
    'a heartbeat with a count',
    { write_heartbeat: {}, assert: { count: { min: 1 } } },
    'assert: may contain only max_latency for write_heartbeat, which has no result',
  ),
  assertion(
    'a latency above the timeout',
    { max_latency: '11s' },
    'max_latency: is longer than the timeout, so that it never fails; lower it, or raise timeout',
  ),
  assertion('a count without bounds', { count: { path: '0' } }, 'count: needs min or max'),
  assertion('a negative count', { count: { min: -1 } }, 'count.min: must be at least 0'),
  assertion(
    'bounds that exclude each other',
    { count: { min: 3, max: 2 } },
    'count: has a min above its max; swap them',
  ),
  assertion(
    'a path with brackets',
    { count: { path: '[0]', min: 1 } },
    'count.path: has brackets; write the number of an element as a step, such as 0.outliers',
  ),
  assertion(
    'a path to each member',
    { values: [{ path: '0.*' }] },
    'values[0].path: must lead to one value; remove the `*`',
  ),
  assertion(
    'a value without a path',
    { values: [{ equals: 1 }] },
    'values[0].path: is required (for example `path: 0.total`)',
  ),
  assertion(
    'a value with equals and a bound',
    { values: [{ path: '0.a', equals: 1, min: 1 }] },
    'values[0]: has equals and a bound; keep one of them',
  ),
  assertion(
    'a list as the value',
    { values: [{ path: '0.a', equals: [1] }] },
    'values[0].equals: must be a text, a number, true or false',
  ),
  assertion(
    'an age that is no duration',
    { age: { path: '0.a', max: 10 } },
    'age.max: must be a string (for example `max: 15m`)',
  ),
];
