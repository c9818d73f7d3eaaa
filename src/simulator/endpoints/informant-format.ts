import { hexId, noiseOf } from '../seeded-random.ts';
import { nanoseconds } from '../timestamps.ts';

/** Metric family of the informant's page; `name` lacks the server's prefix. */
export interface PageFamily {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly PageSample[];
}

/** Sample of the page. The labels are sorted by name, as on real servers. */
export interface PageSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Formats a family like the server: HELP, TYPE, then its samples; empty without samples. */
export function renderFamily(prefix: string, { name, help, samples }: PageFamily): string {
  if (samples.length === 0) return '';
  const full = `${prefix}${name}`;
  const lines = samples.map(({ labels, value }) => `${full}${renderLabels(labels)} ${goFloat(value)}\n`);
  return `# HELP ${full} ${help}\n# TYPE ${full} gauge\n${lines.join('')}`;
}

/** Formats a number as Go's shortest form: with an exponent from a million on, and below a ten-thousandth. */
export function goFloat(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value).replace('Infinity', 'Inf');
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function renderLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

/** Service instance in the JSON of the informant, which omits numbers that are 0 or missing. */
export interface ServiceDescriptor {
  readonly ServiceName: string;
  readonly Partition?: number;
  readonly Replica?: number;
}

/** Returns the descriptor of an instance such as `GPE`, `1`, `2`. */
export function descriptor(service: string, partition: string, replica: string): ServiceDescriptor {
  return {
    ServiceName: service,
    ...(partition === '' ? {} : { Partition: Number(partition) }),
    ...(replica === '' ? {} : { Replica: Number(replica) }),
  };
}

/** Metadata of each item of the informant. */
export interface EventMeta {
  readonly Targets: readonly ServiceDescriptor[];
  readonly EventId: string;
  readonly SpanId?: string;
  readonly TimestampNS: string;
  readonly Source: ServiceDescriptor;
}

/** Origin of an item, from which its unique id is derived. */
export interface EventOrigin {
  readonly source: ServiceDescriptor;
  readonly key: string;
  /** Ms since the epoch. */
  readonly at: number;
  readonly span?: string;
}

/** Describes one event; the same origin always has the same id. */
export function eventMeta({ source, key, at, span }: EventOrigin): EventMeta {
  return {
    Targets: [{ ServiceName: 'IFM' }],
    EventId: hexId(key, at),
    ...(span === undefined ? {} : { SpanId: span }),
    TimestampNS: nanoseconds(at, noiseOf(key, at)),
    Source: source,
  };
}
