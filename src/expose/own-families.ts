import type { Slices } from '../kernel/slices.ts';
import type { Metric, Sample } from '../metric/metric.ts';
import { ValueWriter } from '../model/value-texts.ts';
import { type Draft, isSeries, type RowKey } from './fragment.ts';
import { type BaseLabels, labelText, linePrefix, valueText } from './labels.ts';
import type { Rows } from './lines.ts';

interface Group {
  readonly metric: Metric;
  readonly keys: Readonly<Record<string, string>>[];
  readonly values: ValueWriter;
}

/** Samples taken between two looks at the clock. */
const portion = 1024;

/** Sorts samples into their declared families, in the order of their first sample. */
export async function ownDrafts(
  samples: Iterable<Sample>,
  base: BaseLabels,
  valueBytes: number,
  slices: Slices,
): Promise<readonly Draft[]> {
  const groups = new Map<Metric, Group>();
  let taken = 0;
  for (const { metric, labels, value } of samples) {
    const group = groups.get(metric) ?? { metric, keys: [], values: new ValueWriter() };
    groups.set(metric, group);
    group.keys.push(labels);
    group.values.add(valueText(value));
    taken += 1;
    if (taken % portion === 0 && slices.due()) await slices.rest();
  }
  return Array.from(groups.values(), ({ metric, keys, values }) => ({
    family: { name: metric.name, type: metric.type, help: metric.help, metric },
    rows: { keys, values: values.done(), ...ways(metric, base, valueBytes) },
  }));
}

/** Every declared label is on every line, in the declared order; one that the sample lacks is empty. */
function ways(metric: Metric, base: BaseLabels, valueBytes: number): Pick<Rows<RowKey>, 'same' | 'prefix'> {
  const names = metric.labels.filter((name) => !base.names.has(name));
  return {
    same: (one, other) => {
      if (isSeries(one) || isSeries(other)) return false;
      for (const name of names) if (one[name] !== other[name]) return false;
      return true;
    },
    prefix: (key) => {
      const labels = isSeries(key) ? {} : key;
      const own = names.map((name) => labelText(name, labels[name] ?? '', valueBytes));
      return linePrefix(metric.name, base.text, own);
    },
  };
}
