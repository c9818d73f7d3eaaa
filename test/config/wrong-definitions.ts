/** A definition of `custom` with one mistake, and the problem that it must get. */
export interface WrongDefinition {
  readonly title: string;
  readonly custom: unknown;
  /** Key path, message and hint. */
  readonly problem: string;
}

/** Metric without a mistake. */
export const goodMetric = { name: 'fraud_degree', help: 'Degree of the account.', value: 'degree' };

/** Query without a mistake. */
export const goodQuery = { name: 'degree', graph: 'fraud', query: 'degree_outliers', metrics: [goodMetric] };

const interpreted = { name: 'degree', graph: 'fraud', metrics: [goodMetric] };

function wrong(title: string, change: object, problem: string): WrongDefinition {
  return { title, custom: [{ ...goodQuery, ...change }], problem };
}

function wrongMetric(title: string, change: object, problem: string): WrongDefinition {
  return wrong(title, { metrics: [{ ...goodMetric, ...change }] }, problem);
}

function wrongStatement(title: string, statement: string, problem: string): WrongDefinition {
  return { title, custom: [{ ...interpreted, statement }], problem };
}

/** Statement on the graph of the definition that prints something. */
function statementOf(body: string): string {
  return `INTERPRET QUERY () FOR GRAPH fraud { ${body} PRINT 1; }`;
}

/** One mistake each. */
export const wrongDefinitions: readonly WrongDefinition[] = [
  wrong(
    'a name with a dash',
    { name: 'degree-outliers' },
    'name: must be 1 to 48 lower-case letters, digits or underscores, without a digit at the start',
  ),
  wrong('no name', { name: undefined }, 'name: is required (for example `name: degree_outliers`)'),
  wrong('a mistyped key', { qeury: 'degree' }, 'qeury: unknown key `qeury` (did you mean `query`?)'),
  wrong('no graph', { graph: undefined }, 'graph: is required (for example `graph: fraud`)'),
  wrong(
    'a graph with a slash',
    { graph: 'fraud/x' },
    'graph: must be the name of a graph: letters, digits and underscores, without a digit at the start',
  ),
  wrong(
    'a path as the query',
    { query: '/query/fraud/degree' },
    'query: must be the name of an installed query, without graph, path or parameters; write these into graph and parameters',
  ),
  wrong(
    'a query with parameters',
    { query: 'degree?top=1' },
    'query: must be the name of an installed query, without graph, path or parameters; write these into graph and parameters',
  ),
  wrong('no query', { query: undefined }, 'query: is required, unless statement is set'),
  wrong(
    'a query and a statement',
    { statement: statementOf('') },
    'statement: cannot be combined with query; remove one of them',
  ),
  wrongStatement(
    'an installed query as a statement',
    'CREATE QUERY x() FOR GRAPH fraud { PRINT 1; }',
    'statement: must begin with INTERPRET QUERY (; install any other query, and name it in query',
  ),
  wrongStatement(
    'openCypher',
    'INTERPRET OPENCYPHER QUERY () FOR GRAPH fraud { MATCH (n) RETURN n }',
    'statement: is openCypher; write it in GSQL: INTERPRET QUERY',
  ),
  wrongStatement(
    'no graph in the statement',
    'INTERPRET QUERY () { PRINT 1; }',
    'statement: must name its graph: FOR GRAPH, then the name in the key graph',
  ),
  wrongStatement(
    'another graph in the statement',
    'INTERPRET QUERY () FOR GRAPH risk { PRINT 1; }',
    'statement: names another graph than the key graph; use one of them for both',
  ),
  wrongStatement(
    'nothing printed',
    'INTERPRET QUERY () FOR GRAPH fraud { s = {ANY}; }',
    'statement: prints nothing; add a PRINT statement',
  ),
  wrongStatement(
    'an insert',
    statementOf('INSERT INTO Account VALUES ("a");'),
    'statement: contains INSERT; only queries that read are allowed',
  ),
  wrongStatement(
    'a delete',
    statementOf('s = {ANY}; DELETE s;'),
    'statement: contains DELETE; only queries that read are allowed',
  ),
  wrongStatement(
    'an assignment',
    statementOf('s = SELECT t FROM ANY:t POST-ACCUM t.age = 4;'),
    'statement: assigns an attribute; only queries that read are allowed',
  ),
  wrongStatement(
    'a file',
    statementOf('FILE f ("/tmp/x");'),
    'statement: contains FILE; only queries that read are allowed',
  ),
  wrongStatement(
    'a long statement',
    statementOf('x'.repeat(20_000)),
    'statement: must have at most 16384 characters; install the query instead',
  ),
  wrong(
    'a parameter with a blank',
    { parameters: { 'min degree': 1 } },
    'parameters.…: is not the name of a parameter; write name, name.type, name[0] or name[0].type',
  ),
  wrong(
    'a mapping as a parameter',
    { parameters: { top: { of: 1 } } },
    'parameters.top: must be a text, a number, true, false, or a list of these',
  ),
  wrong(
    'long parameters',
    { parameters: { ids: Array.from({ length: 900 }, () => 'account') } },
    'parameters: have more than 6000 characters; the server accepts URLs of 8 kB',
  ),
  wrong(
    'rows with brackets',
    { rows: '[0].outliers' },
    'rows: has brackets; write the number of an element as a step, such as 0.outliers',
  ),
  wrong('rows with a dot at the end', { rows: '0.outliers.' }, 'rows: ends with a dot; remove it'),
  wrong('rows with two dots', { rows: '0..outliers' }, 'rows: has an empty step; write one name between two dots'),
  wrong('rows with an open quote', { rows: '0."outliers' }, 'rows: has a quote without its end'),
  wrong(
    'rows with a star in the middle',
    { rows: '0.*.degree' },
    'rows: has a `*` before its end; it stands alone, at the end',
  ),
  wrong('rows with a star in a name', { rows: '0.out*' }, 'rows: has a `*` within a name; it stands alone, at the end'),
  wrong(
    'rows with a blank',
    { rows: '0.my outliers' },
    'rows: has a name with blanks or quotes; write the whole name in double quotes',
  ),
  wrong('empty rows', { rows: '' }, 'rows: must not be empty'),
  wrong('a number as rows', { rows: 0 }, 'rows: must be a string (for example `rows: 0.outliers`)'),
  wrong('no metrics', { metrics: [] }, 'metrics: must have at least 1 entry'),
  wrong('the metrics of another file', { metrics: { degree: 'gauge' } }, 'metrics: must be a list'),
  wrongMetric(
    'a metric name with a dash',
    { name: 'fraud-degree' },
    'metrics[0].name: must be 1 to 128 letters, digits or underscores, and begin with a letter or an underscore',
  ),
  wrongMetric(
    'a name of the server',
    { name: 'graphdb_degree' },
    'metrics[0].name: begins with graphdb_, which is reserved; choose another prefix',
  ),
  wrongMetric('a name of Prometheus', { name: 'up' }, 'metrics[0].name: is a name of Prometheus; choose another name'),
  wrongMetric(
    'a name of a histogram',
    { name: 'degree_bucket' },
    'metrics[0].name: ends in _bucket, which is reserved for other types; choose another name',
  ),
  wrongMetric(
    'a counter without _total',
    { type: 'counter' },
    'metrics[0].name: must end in _total, because it is a counter; rename it, or set type: gauge',
  ),
  wrongMetric(
    'a gauge with _total',
    { name: 'degree_total' },
    'metrics[0].name: must not end in _total, because it is a gauge; rename it, or set type: counter',
  ),
  wrongMetric('a histogram', { type: 'histogram' }, 'metrics[0].type: must be one of gauge, counter'),
  wrongMetric(
    'no help',
    { help: undefined },
    'metrics[0].help: is required (for example `help: "Number of transfers of the account."`)',
  ),
  wrongMetric('a help of two lines', { help: 'one\ntwo' }, 'metrics[0].help: must be one line of 1 to 400 characters'),
  wrongMetric(
    'a unit that the name lacks',
    { unit: 'seconds' },
    'metrics[0].unit: must be the end of the name, before _total; rename the metric or correct the unit',
  ),
  wrongMetric(
    'a unit in capitals',
    { unit: 'Seconds' },
    'metrics[0].unit: must be one word in lower case, in the plural, such as seconds',
  ),
  wrongMetric(
    'no value',
    { value: undefined },
    'metrics[0].value: is required (for example `value: attributes.degree`)',
  ),
  wrongMetric(
    'the key of another exporter',
    { values: ['degree'] },
    'metrics[0].values: unknown key `values` (did you mean `value`?)',
  ),
  wrongMetric(
    'a star in a value',
    { value: 'degrees.*' },
    'metrics[0].value: must lead to one value; `*` is allowed in rows only',
  ),
  wrongMetric(
    'a label of the scraper',
    { labels: { job: 'type' } },
    'metrics[0].labels.job: is a label that graphwarden or the scraper sets; choose another name',
  ),
  wrongMetric(
    'a label with a dash',
    { labels: { 'v-type': 'type' } },
    'metrics[0].labels.v-type: must be 1 to 63 letters, digits or underscores, and begin with a letter or an underscore',
  ),
  wrongMetric(
    'a label of Prometheus',
    { labels: { __name__: 'type' } },
    'metrics[0].labels.__name__: begins with __, which Prometheus reserves; choose another name for the label',
  ),
  wrongMetric(
    'a label of the cluster',
    { labels: { env: 'type' } },
    'metrics[0].labels.env: is already a label of a cluster; choose another name for the label',
  ),
  wrongMetric(
    'a label twice',
    { labels: { type: 'type' }, static_labels: { type: 'x' } },
    'metrics[0].static_labels: has a label that is also in labels; remove one of them',
  ),
  wrongMetric(
    'a constant as a label',
    { labels: { type: 7 } },
    'metrics[0].labels.type: must be a string (write it in quotes)',
  ),
  wrongMetric(
    'many labels',
    { labels: Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`l${at}`, 'x'])) },
    'metrics[0].labels: has 11 labels with static_labels; at most 10 are allowed',
  ),
  wrong('an unknown null policy', { null_value: 'nan' }, 'null_value: must be one of skip, zero, fail'),
  wrong('no series', { max_series: 0 }, 'max_series: must be at least 1'),
  wrong('many series', { max_series: 50_000 }, 'max_series: must be at most 20000'),
  wrong(
    'an interval without a unit',
    { interval: '60' },
    'interval: is not a duration: write a number with a unit, such as 250ms, 10s, 5m or 1h30m',
  ),
  wrong(
    'a short interval',
    { interval: '1s', timeout: '1s' },
    'interval: must be 10s or longer, because each run costs the server a query',
  ),
  wrong('a timeout that is too long', { timeout: '10m' }, 'timeout: must not be longer than the interval'),
  wrong('a stale_after that is too short', { stale_after: '1m' }, 'stale_after: must not be shorter than the interval'),
  wrong('an unknown node', { nodes: ['m9'] }, 'nodes[0]: is not a node of these clusters (did you mean `m1`?)'),
  wrong('a word for the nodes', { nodes: 'each' }, 'nodes: must be one, all, or a list of names of nodes'),
  wrong('an unknown cluster', { clusters: ['prd'] }, 'clusters[0]: is not a configured cluster (did you mean `prod`?)'),
  wrong(
    'a version without quotes',
    { min_version: 4.1 },
    'min_version: must be a string (for example `min_version: "4.1"`)',
  ),
  wrong(
    'versions in the wrong order',
    { min_version: '4.2', max_version: '4.1' },
    'max_version: is before min_version, so that no server runs the query',
  ),
  wrong(
    'a memory limit without a unit',
    { memory_limit: '512' },
    'memory_limit: is not a size: write a number with a unit, such as 512KiB, 64MiB or 2GiB',
  ),
  {
    title: 'a name twice',
    custom: [goodQuery, { ...goodQuery, metrics: [{ ...goodMetric, name: 'fraud_other' }] }],
    problem: 'custom[1].name: is already used by custom[0]; choose another name',
  },
  {
    title: 'a metric twice',
    custom: [goodQuery, { ...goodQuery, name: 'other' }],
    problem: 'custom[1].metrics[0].name: is already used by custom[0].metrics[0]; choose another name',
  },
  {
    title: 'a counter and a gauge of one name',
    custom: [
      goodQuery,
      { ...goodQuery, name: 'other', metrics: [{ ...goodMetric, name: 'fraud_degree_total', type: 'counter' }] },
    ],
    problem: 'custom[1].metrics[0].name: is already used by custom[0].metrics[0]; choose another name',
  },
  { title: 'a mapping instead of a list', custom: { degree: goodQuery }, problem: 'custom: must be a list' },
];
