import { hexId, noiseOf } from '../seeded-random.ts';
import { nanoseconds } from '../timestamps.ts';

/** One family of the informant's page; `name` is without the server's prefix. */
export interface PageFamily {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly PageSample[];
}

/** One line of the page. The labels are in the order of their names, as the server sorts them. */
export interface PageSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Writes a family as the server does: HELP, TYPE, then its samples; nothing at all where there are none. */
export function renderFamily(prefix: string, { name, help, samples }: PageFamily): string {
  if (samples.length === 0) return '';
  const full = `${prefix}${name}`;
  const lines = samples.map(({ labels, value }) => `${full}${renderLabels(labels)} ${goFloat(value)}\n`);
  return `# HELP ${full} ${help}\n# TYPE ${full} gauge\n${lines.join('')}`;
}

/** A number as Go's shortest form writes it: with an exponent from a million up and below a ten-thousandth. */
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

/** An instance in the informant's JSON, which omits numbers that are 0 or missing. */
export interface ServiceDescriptor {
  readonly ServiceName: string;
  readonly Partition?: number;
  readonly Replica?: number;
}

/** Turns `GPE`, `1`, `2` into a descriptor. */
export function descriptor(service: string, partition: string, replica: string): ServiceDescriptor {
  return {
    ServiceName: service,
    ...(partition === '' ? {} : { Partition: Number(partition) }),
    ...(replica === '' ? {} : { Replica: Number(replica) }),
  };
}

/** What every item of the informant carries about itself. */
export interface EventMeta {
  readonly Targets: readonly ServiceDescriptor[];
  readonly EventId: string;
  readonly SpanId?: string;
  readonly TimestampNS: string;
  readonly Source: ServiceDescriptor;
}

/** Where an item comes from and what makes its id its own. */
export interface EventOrigin {
  readonly source: ServiceDescriptor;
  readonly key: string;
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
