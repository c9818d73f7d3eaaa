import { collectors } from '../../src/collect/all.ts';
import { metricCatalog } from '../../src/collect/collector.ts';
import { formatDuration } from '../../src/kernel/duration.ts';

/**
 * Returns the metric families and the defaults of the collectors, one per line. Users rely on them: to remove or change a
 * line of a release is a breaking change.
 */
export function contractLines(): readonly string[] {
  const families = [...metricCatalog(collectors).values()].map(({ metric: { name, type, labels, keep }, scope }) => {
    const lifetime = keep ? ' that outlives failed polls' : '';
    return `${name}: ${type} of a ${scope}${lifetime}, labels: ${labels.join(' ') || 'none'}`;
  });
  const defaults = collectors.map(({ name, defaults: { enabled, interval, timeout, schedule } }) => {
    const pace = schedule === undefined ? `every ${formatDuration(interval)}` : `at ${schedule}`;
    return `collector ${name}: ${enabled ? 'on' : 'off'}, ${pace}, timeout ${formatDuration(timeout)}`;
  });
  return [...families, ...defaults];
}
