/** The two formats, by the names of their specifications. */
export type ExpositionFormat = 'text' | 'openmetrics';

/** One sample line. */
export interface ExpositionSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  readonly timestamp?: number;
  readonly exemplar?: ExpositionExemplar;
}

/** Exemplar after a sample of OpenMetrics. */
export interface ExpositionExemplar {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** Seconds since the epoch. */
  readonly timestamp?: number;
}

/** One family with its samples in the order of the page. */
export interface ExpositionFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly unit: string;
  readonly samples: readonly ExpositionSample[];
}

/** Returns a key that identifies a series regardless of the order of its labels. */
export function seriesKey(name: string, labels: Readonly<Record<string, string>>): string {
  const names = Object.keys(labels).toSorted();
  return JSON.stringify([name, ...names, ...names.map((key) => labels[key])]);
}

/** Checks the rules for a family as a whole. Throws at the first violation. */
export function checkFamily(family: ExpositionFamily, format: ExpositionFormat): void {
  checkUnit(family);
  if (format === 'openmetrics' && family.type === 'counter') family.samples.forEach(checkCounter);
  for (const sample of family.samples) checkExemplar(sample, family);
  if (family.type === 'summary') checkQuantiles(family);
  if (family.type === 'histogram') checkBuckets(family);
  if (family.type === 'info' || family.type === 'stateset') checkStates(family);
}

function checkUnit({ name, unit }: ExpositionFamily): void {
  if (unit !== '' && !name.endsWith(`_${unit}`)) throw new Error(`${name} does not end in its unit ${unit}`);
}

function checkCounter({ name, value }: ExpositionSample): void {
  if (Number.isNaN(value) || value < 0) throw new Error(`${name} is ${value}`);
}

/** Checks an exemplar: only counters and buckets may have one, and its labels, value and timestamp must be valid. */
function checkExemplar({ name, exemplar }: ExpositionSample, { type }: ExpositionFamily): void {
  if (exemplar === undefined) return;
  const endings: Readonly<Record<string, string>> = {
    counter: '_total',
    histogram: '_bucket',
    gaugehistogram: '_bucket',
  };
  const ending = endings[type];
  if (ending === undefined || !name.endsWith(ending)) throw new Error(`${name} has an exemplar`);
  const { labels, value, timestamp = 0 } = exemplar;
  const length = Array.from(Object.entries(labels).flat().join('')).length;
  if (length > 128) throw new Error(`${name} has an exemplar with labels of ${length} characters`);
  if (Number.isNaN(value)) throw new Error(`${name} has an exemplar without a value`);
  if (!Number.isFinite(timestamp)) throw new Error(`${name} has an exemplar of no time`);
}

function checkQuantiles({ name, samples }: ExpositionFamily): void {
  for (const sample of samples.filter((one) => one.name === name)) {
    const quantile = Number(sample.labels.quantile);
    if (!(quantile >= 0 && quantile <= 1)) throw new Error(`${name} with quantile ${sample.labels.quantile}`);
  }
}

function checkStates({ name, samples, type }: ExpositionFamily): void {
  for (const { value } of samples) {
    if (value !== 1 && (type === 'info' || value !== 0)) throw new Error(`${name} is ${value}`);
  }
}

function checkBuckets({ name, samples }: ExpositionFamily): void {
  const groups = new Map<string, ExpositionSample[]>();
  for (const sample of samples.filter((one) => one.name === `${name}_bucket`)) {
    const { le: _, ...labels } = sample.labels;
    const key = seriesKey(name, labels);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const buckets of groups.values()) checkOneHistogram(name, buckets);
}

function checkOneHistogram(name: string, buckets: readonly ExpositionSample[]): void {
  const bounds = buckets.map(({ labels }) => (labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le)));
  const counts = buckets.map(({ value }) => value);
  if (bounds.at(-1) !== Number.POSITIVE_INFINITY) throw new Error(`${name} has no last bucket +Inf`);
  if (!isAscending(bounds) || new Set(bounds).size < bounds.length) throw new Error(`${name} has bounds out of order`);
  if (!isAscending(counts)) throw new Error(`${name} has buckets that do not add up`);
  for (const [at, { exemplar }] of buckets.entries()) {
    if (exemplar === undefined) continue;
    const [above = Number.NEGATIVE_INFINITY, most = 0] = [bounds[at - 1], bounds[at]];
    if (exemplar.value <= above || exemplar.value > most) throw new Error(`${name} has an exemplar of another bucket`);
    if (counts[at] === (counts[at - 1] ?? 0)) throw new Error(`${name} has an exemplar in an empty bucket`);
  }
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((one, at) => at === 0 || one >= (numbers[at - 1] ?? 0));
}
