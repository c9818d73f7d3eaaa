import type { Slices } from '../kernel/slices.ts';
import type { Exemplar, Metric, Sample } from '../metric/metric.ts';
import { SteadyList } from '../model/steady-list.ts';
import { ValueWriter } from '../model/value-texts.ts';
import { type Draft, isSeries, type RowKey } from './fragment.ts';
import { type BaseLabels, labelText, linePrefix, valueText } from './labels.ts';
import type { Rows } from './lines.ts';
import type { Fragments } from './shelf.ts';

/** What the samples of one source have in common. */
export interface Setting {
  readonly base: BaseLabels;
  readonly valueBytes: number;
  /** What the source showed last. */
  readonly before: Fragments;
}

/** Samples taken between two looks at the clock. */
const portion = 1024;

/** No label has this name: what of a histogram a row is belongs to its identity, as its labels do. */
const partKey = '';

/** Sorts samples into their declared families, in the order of their first sample. */
export async function ownDrafts(
  samples: Iterable<Sample>,
  setting: Setting,
  slices: Slices,
): Promise<readonly Draft[]> {
  const groups = new Map<Metric, Group>();
  let taken = 0;
  for (const { metric, labels, value, part, exemplar } of samples) {
    const group = groups.get(metric) ?? new Group(metric, setting);
    groups.set(metric, group);
    group.add(part === undefined ? labels : { ...labels, [partKey]: part }, value);
    if (exemplar !== undefined && part === '_bucket') group.exemplify(exemplar);
    taken += 1;
    if (taken % portion === 0 && slices.due()) await slices.rest();
  }
  return Array.from(groups.values(), (group) => group.draft());
}

/** Whether a row is the last one of a histogram: its count comes after its buckets and its sum. */
export function endsHistogram(key: RowKey | undefined): boolean {
  return key !== undefined && !isSeries(key) && key[partKey] === '_count';
}

class Group {
  readonly #metric: Metric;
  readonly #ways: Pick<Rows<RowKey>, 'same' | 'prefix'>;
  readonly #keys: SteadyList<RowKey>;
  readonly #values: ValueWriter;
  #exemplars: Map<number, Exemplar> | undefined;

  constructor(metric: Metric, { base, valueBytes, before }: Setting) {
    const last = before.get(metric.name);
    const keys = last?.family.metric === metric ? last.lines.keys : [];
    this.#metric = metric;
    this.#ways = ways(metric, base, valueBytes);
    this.#keys = new SteadyList(keys, this.#ways.same);
    this.#values = new ValueWriter(keys.length);
  }

  add(labels: Readonly<Record<string, string>>, value: number): void {
    this.#keys.add(labels);
    this.#values.add(valueText(value));
  }

  /** Puts an exemplar behind what was added last. */
  exemplify(exemplar: Exemplar): void {
    this.#exemplars ??= new Map();
    this.#exemplars.set(this.#keys.length - 1, exemplar);
  }

  draft(): Draft {
    const { name, type, help } = this.#metric;
    return {
      family: { name, type, help, metric: this.#metric },
      rows: { keys: this.#keys.items, values: this.#values.done(), ...this.#ways },
      ...(this.#exemplars && { exemplars: this.#exemplars }),
    };
  }
}

/** Every declared label is on every line, in the declared order; one that the sample lacks is empty. */
function ways(metric: Metric, base: BaseLabels, valueBytes: number): Pick<Rows<RowKey>, 'same' | 'prefix'> {
  const own = metric.type === 'histogram' ? [...metric.labels, 'le'] : metric.labels;
  const names = own.filter((name) => !base.names.has(name));
  const compared = metric.type === 'histogram' ? [...names, partKey] : names;
  return {
    same: (one, other) => {
      if (isSeries(one) || isSeries(other)) return false;
      for (const name of compared) if (one[name] !== other[name]) return false;
      return true;
    },
    prefix: (key) => {
      const labels = isSeries(key) ? {} : key;
      const part = labels[partKey] ?? '';
      const shown = part === '' || part === '_bucket' ? names : names.filter((name) => name !== 'le');
      const texts = shown.map((name) => labelText(name, labels[name] ?? '', valueBytes));
      return linePrefix(metric.name + part, base.text, texts);
    },
  };
}
