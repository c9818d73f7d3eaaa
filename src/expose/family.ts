import type { Metric } from '../metric/metric.ts';
import type { FamilyType } from '../model/exposition.ts';
import type { Format } from './page.ts';

/** What the header lines of a family say. */
export interface Family {
  readonly name: string;
  readonly type: FamilyType;
  readonly help: string;
  /** Our own declaration; absent for a family of the server. */
  readonly metric?: Metric;
}

const units = ['seconds', 'bytes', 'ratio'];

/** The lines before the samples of a family. `taken` tells whether another family of the page has a name. */
export function header(family: Family, format: Format, taken: (name: string) => boolean): string {
  if (format === 'text') return describe(family.name, family.type, escapeHelp(family.help));
  const { name, type } = openMetricsFamily(family, taken);
  const unit = family.metric === undefined ? undefined : units.find((word) => name.endsWith(`_${word}`));
  const unitLine = unit === undefined ? '' : `# UNIT ${name} ${unit}\n`;
  return describe(name, type, escapeHelp(family.help).replaceAll('"', '\\"')) + unitLine;
}

/**
 * OpenMetrics names a counter without the `_total` of its samples, and knows no counter without it. What does
 * not fit becomes `unknown`, which may hold any sample: the lines are the same in both formats.
 */
function openMetricsFamily({ name, type }: Family, taken: (name: string) => boolean): { name: string; type: string } {
  if (type === 'untyped') return { name, type: 'unknown' };
  if (type !== 'counter') return { name, type };
  const stem = name.endsWith('_total') ? name.slice(0, -'_total'.length) : '';
  return stem === '' || taken(stem) ? { name, type: 'unknown' } : { name: stem, type: 'counter' };
}

function describe(name: string, type: string, help: string): string {
  return `${help === '' ? '' : `# HELP ${name} ${help}\n`}# TYPE ${name} ${type}\n`;
}

function escapeHelp(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
