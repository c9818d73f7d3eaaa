import { z } from 'zod';
import { durationField, sizeField } from '../../graphdb/settings-fields.ts';
import type { Millis } from '../../kernel/time.ts';
import type { QueryParameter, QueryRun } from '../../model/query-run.ts';
import type { CollectorSettings } from '../../model/settings.ts';
import { type CustomMetric, type CustomQuery, nullPolicies } from './custom-query.ts';
import { customMetricSection, pathField } from './metric-settings.ts';
import { statementProblem } from './statement.ts';
import type { ValuePath } from './value-path.ts';

/** Keys of a query that limit its run; the server takes them as headers. */
export const limitFields = {
  thread_limit: z
    .int()
    .min(1)
    .max(1024)
    .optional()
    .describe('Maximum number of threads of the query on each node; all if omitted.')
    .meta({ examples: [2] }),
  memory_limit: sizeField(2 ** 20)
    .optional()
    .describe('Maximum memory of the query on each node; no limit if omitted.')
    .meta({ examples: ['512MiB'] }),
};

/** Minimum interval, because a query costs the server more than the calls of other collectors. */
const minInterval: Millis = 10_000;
const staleAfterIntervals = 3;

/** Maximum number of series of a query. */
const maxSeries = 20_000;

/** Maximum number of characters of all parameters; the server accepts URLs of 8 kB. */
const maxParameters = 6000;

/** Name of a graph. */
export const graphName = z.string().regex(/^[A-Za-z_]\w{0,127}$/, {
  error: 'must be the name of a graph: letters, digits and underscores, without a digit at the start',
});

/** Name of an installed query. */
export const queryName = z.string().regex(/^[A-Za-z_]\w{0,127}$/, {
  error:
    'must be the name of an installed query, without graph, path or parameters; write these into graph and parameters',
});

const serverVersion = z.string().regex(/^\d+\.\d+(\.\d+)?$/, { error: 'must be a version in quotes, such as "4.1"' });

const parameterName = z.string().regex(/^[A-Za-z_]\w{0,63}(?:\[\d{1,4}\])?(?:\.type)?$/, {
  error: 'is not the name of a parameter; write name, name.type, name[0] or name[0].type',
});

const parameterValue = z.union([z.string(), z.number(), z.boolean()]);

const parameterField = z.union([parameterValue, z.array(parameterValue).max(1000)], {
  error: 'must be a text, a number, true, false, or a list of these',
});

/** Nodes that run a query of the configuration. */
export const nodesField = z.union([z.enum(['one', 'all']), z.array(z.string().min(1)).min(1)], {
  error: 'must be one, all, or a list of names of nodes',
});

const customQuery = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,47}$/, {
        error: 'must be 1 to 48 lower-case letters, digits or underscores, without a digit at the start',
      })
      .describe('Name of the custom query. Its collector is named `custom_` followed by this name.')
      .meta({ examples: ['degree_outliers'] }),
    graph: graphName.describe('Graph of the query, and the label `graph` of its series.').meta({ examples: ['fraud'] }),
    query: queryName
      .optional()
      .describe('Name of the installed query to run; or use `statement`.')
      .meta({ examples: ['degree_outliers'] }),
    statement: z
      .string()
      .optional()
      .describe(
        'Full text of an interpreted query to run: `INTERPRET QUERY () FOR GRAPH …`. Slower than an installed query.',
      )
      .meta({ examples: ['INTERPRET QUERY () FOR GRAPH fraud { all = {ANY}; PRINT all.size() AS vertices; }'] }),
    parameters: z
      .record(parameterName, parameterField)
      .prefault({})
      .describe('Parameters of the query; a list is sent as one parameter per element.')
      .meta({ examples: [{ top: 10 }] }),
    rows: pathField
      .optional()
      .describe(
        'Path of the rows in the output of the query: the index of the PRINT statement from 0, then names. A list has one row per element, an object is one row; `.*` after a map selects one row per entry, with the members `key` and `value`. Default: the first printed object.',
      )
      .meta({ examples: ['0.outliers'] }),
    metrics: z
      .array(customMetricSection)
      .min(1)
      .max(20)
      .describe('Metrics of the query, each with one series per row.'),
    null_value: z
      .enum(nullPolicies)
      .prefault('skip')
      .describe(
        'Handling of a value that is null or absent in a row: `skip` omits the series, `zero` exposes 0, `fail` fails the query.',
      ),
    max_series: z
      .int()
      .min(1)
      .max(maxSeries)
      .prefault(1000)
      .describe('Maximum number of series of the query. A query that exceeds it fails and exposes no series.'),
    interval: durationField.prefault('5m').describe('Interval between two runs, at least 10s.'),
    timeout: durationField.prefault('30s').describe('Timeout of a run; the server ends the query after the same time.'),
    stale_after: durationField
      .optional()
      .describe(
        'Age at which the gauges of the last successful run disappear from `/metrics`. Default: three intervals.',
      )
      .meta({ examples: ['15m'] }),
    ...limitFields,
    nodes: nodesField
      .prefault('one')
      .describe(
        '`one`: any healthy node, for a fact of the whole cluster; `all`, or a list: each of these nodes, which the label `node` names.',
      ),
    clusters: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('Clusters on which the query runs; all if omitted.')
      .meta({ examples: [['prod']] }),
    min_version: serverVersion
      .optional()
      .describe('Lowest server version on which the query runs.')
      .meta({ examples: ['4.1'] }),
    max_version: serverVersion
      .optional()
      .describe('Highest server version on which the query runs.')
      .meta({ examples: ['4.2'] }),
  })
  .transform((given, context): CustomQuery => {
    const problems = [
      ...sourceProblems(given),
      ...timingProblems(given),
      ...versionProblems(given),
      ...parameterProblems(given),
    ];
    for (const [key, message] of problems) context.issues.push({ code: 'custom', message, path: [key], input: '' });
    return problems.length === 0 ? toQuery(given) : z.NEVER;
  });

type KeyProblem = readonly [key: string, message: string];

interface GivenQuery {
  readonly name: string;
  readonly graph: string;
  readonly query?: string | undefined;
  readonly statement?: string | undefined;
  readonly parameters: Readonly<Record<string, ParameterValue | readonly ParameterValue[]>>;
  readonly rows?: ValuePath | undefined;
  readonly metrics: readonly CustomMetric[];
  readonly null_value: CustomQuery['nullValue'];
  readonly max_series: number;
  readonly interval: Millis;
  readonly timeout: Millis;
  readonly stale_after?: Millis | undefined;
  readonly thread_limit?: number | undefined;
  readonly memory_limit?: number | undefined;
  readonly nodes: CustomQuery['nodes'];
  readonly clusters?: readonly string[] | undefined;
  readonly min_version?: string | undefined;
  readonly max_version?: string | undefined;
}

type ParameterValue = string | number | boolean;

function sourceProblems({ query, statement, graph }: GivenQuery): readonly KeyProblem[] {
  if (query === undefined && statement === undefined) return [['query', 'is required, unless statement is set']];
  if (query !== undefined && statement !== undefined) {
    return [['statement', 'cannot be combined with query; remove one of them']];
  }
  const problem = statement === undefined ? undefined : statementProblem(statement, graph);
  return problem === undefined ? [] : [['statement', problem]];
}

function timingProblems({ interval, timeout, stale_after: staleAfter = interval }: GivenQuery): readonly KeyProblem[] {
  return [
    ...(interval < minInterval
      ? [['interval', 'must be 10s or longer, because each run costs the server a query'] as const]
      : []),
    ...(timeout > interval ? [['timeout', 'must not be longer than the interval'] as const] : []),
    ...(staleAfter < interval ? [['stale_after', 'must not be shorter than the interval'] as const] : []),
  ];
}

function versionProblems({ min_version: least, max_version: most }: GivenQuery): readonly KeyProblem[] {
  if (least === undefined || most === undefined || compareVersions(least, most) <= 0) return [];
  return [['max_version', 'is before min_version, so that no server runs the query']];
}

function parameterProblems(given: GivenQuery): readonly KeyProblem[] {
  const sent = parametersOf(given);
  const length = sent.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  return length > maxParameters
    ? [['parameters', `have more than ${maxParameters} characters; the server accepts URLs of 8 kB`]]
    : [];
}

/** Compares the parts that both versions have: 4.1.3 is within 4.1. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map((version) => version.split('.').map(Number));
  for (const [at, part] of (first ?? []).entries()) {
    const difference = part - (second?.[at] ?? part);
    if (difference !== 0) return difference;
  }
  return 0;
}

function parametersOf({ parameters }: Pick<GivenQuery, 'parameters'>): readonly QueryParameter[] {
  return Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().map((one) => ({ name, value: String(one) })),
  );
}

function toQuery(given: GivenQuery): CustomQuery {
  const { name, metrics, rows, nodes, clusters, min_version: minVersion, max_version: maxVersion } = given;
  return {
    name,
    run: runOf(given),
    ...(rows === undefined ? {} : { rows }),
    metrics: metrics.map((one) => ({ ...one, staticLabels: { graph: given.graph, ...one.staticLabels } })),
    nullValue: given.null_value,
    maxSeries: given.max_series,
    nodes,
    ...(clusters === undefined ? {} : { clusters }),
    ...(minVersion === undefined ? {} : { minVersion }),
    ...(maxVersion === undefined ? {} : { maxVersion }),
    polling: pollingOf(given),
  };
}

function runOf({ graph, query, statement = '', timeout, ...given }: GivenQuery): QueryRun {
  const { thread_limit: threads, memory_limit: memory } = given;
  return {
    graph,
    source: query === undefined ? { interpreted: statement } : { installed: query },
    parameters: parametersOf(given),
    timeout,
    ...(threads === undefined ? {} : { threads }),
    ...(memory === undefined ? {} : { memory }),
  };
}

function pollingOf({ interval, timeout, stale_after: staleAfter }: GivenQuery): CollectorSettings {
  const age = staleAfter ?? interval * staleAfterIntervals;
  return { enabled: true, interval, timeout, staleAfter: age, passthrough: false };
}

/** `custom`: metrics from queries. */
export const customSection = z
  .array(customQuery)
  .max(100)
  .prefault([])
  .describe('Metrics from the results of installed or interpreted queries that run at an interval.');
