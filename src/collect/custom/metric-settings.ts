import { z } from 'zod';
import { counter, gauge, type Metric } from '../../metric/metric.ts';
import type { CustomMetric } from './custom-query.ts';
import { parseValuePath, type ValuePath } from './value-path.ts';

/** Prefixes of metric names that are reserved. */
const reservedPrefixes = ['graphdb_', 'graphwarden_', 'process_', 'nodejs_', 'scrape_', 'probe_'];
const reservedNames = ['up', 'ALERTS', 'ALERTS_FOR_STATE'];

/** Suffixes of the parts of a histogram or summary, and of other types of OpenMetrics. */
const reservedSuffixes = ['_bucket', '_count', '_sum', '_created', '_info'];

/** Labels that the daemon or the scraper sets. */
const reservedLabels = ['cluster_name', 'node', 'graph', 'le', 'quantile', 'job', 'instance', 'namespace', 'pod'];

const maxLabels = 10;

/** Schema of a path to a value: parses its text into steps. */
export const pathField = z
  .string()
  .max(500)
  .transform((text, context): ValuePath => {
    const path = parseValuePath(text);
    if (path.ok) return path.value;
    context.issues.push({ code: 'custom', message: path.error, input: '' });
    return z.NEVER;
  });

/** Schema of a path to one value within a row. */
const memberPath = pathField.refine(({ isEach }) => !isEach, {
  error: 'must lead to one value; `*` is allowed in rows only',
});

const metricName = z.string().superRefine((name, context) => {
  const problem = nameProblem(name);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

function nameProblem(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name)) {
    return 'must be 1 to 128 letters, digits or underscores, and begin with a letter or an underscore';
  }
  const prefix = reservedPrefixes.find((one) => name.startsWith(one));
  if (prefix !== undefined) return `begins with ${prefix}, which is reserved; choose another prefix`;
  if (reservedNames.includes(name)) return 'is a name of Prometheus; choose another name';
  const suffix = reservedSuffixes.find((one) => name.endsWith(one));
  return suffix === undefined ? undefined : `ends in ${suffix}, which is reserved for other types; choose another name`;
}

const labelName = z.string().superRefine((name, context) => {
  const problem = labelProblem(name);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

function labelProblem(name: string): string | undefined {
  if (name.startsWith('__')) return 'begins with __, which Prometheus reserves; choose another name for the label';
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(name)) {
    return 'must be 1 to 63 letters, digits or underscores, and begin with a letter or an underscore';
  }
  return reservedLabels.includes(name)
    ? 'is a label that graphwarden or the scraper sets; choose another name'
    : undefined;
}

/** One entry of `metrics` of a custom query. */
export const customMetricSection = z
  .strictObject({
    name: metricName
      .describe('Name of the metric; unique among all custom queries. A counter ends in `_total`.')
      .meta({ examples: ['fraud_account_degree'] }),
    type: z
      .enum(['gauge', 'counter'])
      .prefault('gauge')
      .describe('`gauge`, or `counter` for a value that only increases.'),
    help: z
      .string()
      .regex(/^[^\p{Cc}]{1,400}$/u, { error: 'must be one line of 1 to 400 characters' })
      .describe('Help text, one sentence.')
      .meta({ examples: ['Number of transfers of the account.'] }),
    unit: z
      .string()
      .regex(/^[a-z]{1,30}$/, { error: 'must be one word in lower case, in the plural, such as seconds' })
      .optional()
      .describe('Base unit such as `seconds`, `bytes` or `ratio`; the name must end in it.')
      .meta({ examples: ['seconds'] }),
    value: memberPath.describe('Path of the value within a row.').meta({ examples: ['attributes.degree'] }),
    labels: z
      .record(labelName, memberPath)
      .prefault({})
      .describe('Labels and the paths of their values within a row.')
      .meta({ examples: [{ account_type: 'v_type' }] }),
    static_labels: z
      .record(labelName, z.string().max(256))
      .prefault({})
      .describe('Labels with a constant value.')
      .meta({ examples: [{ team: 'fraud' }] }),
  })
  .transform(
    (
      { static_labels: staticLabels, ...given },
      context,
    ): Omit<CustomMetric, 'metric'> & { readonly metric: Metric } => {
      const all = [...Object.keys(given.labels), ...Object.keys(staticLabels)];
      const problems = [...nameProblems(given), ...labelsProblems(all)];
      for (const [key, message] of problems) context.issues.push({ code: 'custom', message, path: [key], input: '' });
      if (problems.length > 0) return z.NEVER;
      return { metric: declare(given, all), value: given.value, labels: given.labels, staticLabels };
    },
  );

interface GivenMetric {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly unit?: string | undefined;
}

function nameProblems({ name, type, unit }: GivenMetric): readonly (readonly [key: string, message: string])[] {
  const stem = name.replace(/_total$/, '');
  const isTotal = stem !== name;
  return [
    ...(type === 'counter' && !isTotal
      ? [['name', 'must end in _total, because it is a counter; rename it, or set type: gauge'] as const]
      : []),
    ...(type === 'gauge' && isTotal
      ? [['name', 'must not end in _total, because it is a gauge; rename it, or set type: counter'] as const]
      : []),
    ...(unit !== undefined && !stem.endsWith(`_${unit}`)
      ? [['unit', 'must be the end of the name, before _total; rename the metric or correct the unit'] as const]
      : []),
  ];
}

function labelsProblems(all: readonly string[]): readonly (readonly [key: string, message: string])[] {
  const twice = all.find((label, at) => all.indexOf(label) !== at);
  return [
    ...(twice === undefined
      ? []
      : [['static_labels', 'has a label that is also in labels; remove one of them'] as const]),
    ...(all.length > maxLabels
      ? [['labels', `has ${all.length} labels with static_labels; at most ${maxLabels} are allowed`] as const]
      : []),
  ];
}

function declare({ name, type, help }: GivenMetric, labels: readonly string[]): Metric {
  const definition = { name, help, labels: ['graph', ...labels], source: 'custom query', isCustom: true } as const;
  return type === 'counter' ? counter(definition) : gauge(definition);
}
