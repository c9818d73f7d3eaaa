import type { Metric } from '../../src/metric/metric.ts';

/** Scrapers, operators and the runner own these; `le` and `quantile` belong to the format. */
const reservedLabels = [
  'cluster',
  'cluster_name',
  'endpoint',
  'instance',
  'job',
  'le',
  'namespace',
  'node',
  'pod',
  'service',
];
const foreignUnits =
  /_(ms|millis\w*|sec|minutes?|hours?|days?|kb|mb|gb|kilobytes|megabytes|percent|percentage|pct)(_|$)/;
const formatEndings = /_(count|sum|bucket|created)$/;

/** Everything that is wrong with how a family is declared; what promtool would find, and our own rules. */
export function declarationProblems({ name, type, help, labels, source }: Metric): readonly string[] {
  const rules: readonly (readonly [broken: boolean, complaint: string])[] = [
    [!/^graphdb_[a-z]+(_[a-z]+)*$/.test(name), 'is not named graphdb_… in snake case'],
    [name.endsWith('_total') !== (type === 'counter'), 'a counter, and nothing else, ends in _total'],
    [foreignUnits.test(name), 'is not in a base unit'],
    [formatEndings.test(name), "ends like a part of the format's own"],
    [!/^[A-Z1].*\.$/s.test(help) || /[\n\\]/.test(help), 'has a HELP text that is no sentence on one line'],
    [!/^((GET|POST|DELETE) \/|clusters\[\]\.)/.test(source), 'does not name the call or the setting it comes from'],
    [labels.some((label) => !/^[a-z]+(_[a-z]+)*$/.test(label)), 'has a label that is not in snake case'],
    [labels.some((label) => reservedLabels.includes(label)), 'has a reserved label'],
    [new Set(labels).size !== labels.length, 'has a label twice'],
    [labels.includes('quantile') !== (type === 'summary'), 'a summary, and nothing else, has quantiles'],
  ];
  return rules.filter(([broken]) => broken).map(([, complaint]) => `${name} ${complaint}`);
}
