import { describe, expect, it } from 'vitest';
import { type Family, renderHeader } from '../../src/expose/fragment.ts';
import { type latency, traffic, up } from './metrics-pages.ts';

const alone = () => false;

function declared({ name, type, help }: typeof up | typeof traffic | typeof latency): Family {
  return { name, type, help, metric: { ...up, name, type, help } };
}

describe('header lines', () => {
  it('name the family of a counter with _total in text, without it in OpenMetrics, and contain the unit', () => {
    const help = 'Bytes "in" and \\\\ out.\\nSecond line.';
    expect(renderHeader(declared(traffic), 'text', alone)).toBe(
      `# HELP graphdb_network_bytes_total ${help}\n# TYPE graphdb_network_bytes_total counter\n`,
    );
    expect(renderHeader(declared(traffic), 'openmetrics', alone)).toBe(
      `# HELP graphdb_network_bytes ${help.replaceAll('"', '\\"')}\n` +
        '# TYPE graphdb_network_bytes counter\n# UNIT graphdb_network_bytes bytes\n',
    );
  });

  it('have a unit if the name of an own family ends with one', () => {
    const units = (name: string) =>
      /# UNIT (.*)\n/.exec(renderHeader(declared({ ...up, name }), 'openmetrics', alone))?.[1];
    expect(units('graphdb_check_last_run_timestamp_seconds')).toBe('graphdb_check_last_run_timestamp_seconds seconds');
    expect(units('graphdb_host_cpu_usage_ratio')).toBe('graphdb_host_cpu_usage_ratio ratio');
    expect(units('graphdb_up')).toBeUndefined();
    expect(units('graphdb_bytes_used')).toBeUndefined();
    expect(renderHeader({ name: 'svc_memory_bytes', type: 'gauge', help: '' }, 'openmetrics', alone)).not.toContain(
      'UNIT',
    );
  });

  it.each([
    ['svc_a', 'untyped', '# TYPE svc_a unknown'],
    ['svc_a', 'gauge', '# TYPE svc_a gauge'],
    ['svc_a_total', 'gauge', '# TYPE svc_a_total gauge'],
    ['svc_a', 'histogram', '# TYPE svc_a histogram'],
    ['svc_a', 'summary', '# TYPE svc_a summary'],
    ['svc_a_total', 'counter', '# TYPE svc_a counter'],
    ['svc_a', 'counter', '# TYPE svc_a unknown'],
    ['_total', 'counter', '# TYPE _total unknown'],
  ] as const)('in OpenMetrics of the %s %s: %s', (name, type, line) => {
    expect(renderHeader({ name, type, help: '' }, 'openmetrics', alone)).toBe(`${line}\n`);
  });

  it('do not give a counter the name of another family', () => {
    const names = new Set(['svc_a']);
    const taken = (name: string) => names.has(name);
    expect(renderHeader({ name: 'svc_a_total', type: 'counter', help: '' }, 'openmetrics', taken)).toBe(
      '# TYPE svc_a_total unknown\n',
    );
    expect(renderHeader({ name: 'svc_a_total', type: 'counter', help: '' }, 'text', taken)).toBe(
      '# TYPE svc_a_total counter\n',
    );
  });
});
