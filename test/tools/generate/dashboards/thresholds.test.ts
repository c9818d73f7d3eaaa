import { describe, expect, it } from 'vitest';
import { rules } from '../../../../src/alert/rules/all.ts';
import { serviceStatusCodes } from '../../../../src/model/service.ts';
import { dashboards } from '../../../../tools/generate/dashboards/all.ts';
import { engineAbortMemoryRatio, threshold } from '../../../../tools/generate/dashboards/thresholds.ts';
import { serviceStatusMappings } from '../../../../tools/generate/dashboards/value-mappings.ts';

const panels = dashboards.flatMap(({ rows }) => rows.flatMap((row) => row.panels));
const linesOf = (title: string) =>
  panels.find((panel) => panel.title === title)?.steps?.map(({ from }) => from) ?? expect.fail(title);

describe('thresholds on panels', () => {
  it('match the thresholds of the alert rules', () => {
    const values = new Map(
      rules.flatMap(({ name, thresholds }) => thresholds.map((one) => [`${name}.${one.name}`, one.value])),
    );
    expect(linesOf('Free memory')).toEqual([
      0,
      0.1,
      values.get('memory_near_abort.below_free'),
      values.get('memory_near_abort.throttled_below'),
    ]);
    expect(linesOf('Free space of file systems')[2]).toBe(values.get('disk_filling.below_bytes'));
    expect(linesOf('Longest wait')[1]).toBe(values.get('delay_queue_pressure.longest_wait'));
  });

  it('use the limits of the engine that the rule describes', () => {
    const said = rules.find(({ name }) => name === 'memory_near_abort')?.description;
    expect(said).toContain(`aborts queries below ${engineAbortMemoryRatio * 100} %`);
    expect(said).toContain(`throttles queries below ${threshold('memory_near_abort', 'throttled_below') * 100} %`);
  });

  it('ascend', () => {
    for (const { steps = [] } of panels) {
      const from = steps.map((step) => step.from);
      expect(from).toEqual(from.toSorted((one, other) => one - other));
    }
  });

  it('rejects an unknown threshold', () => {
    expect(() => threshold('memory_near_abort', 'above')).toThrow('rule memory_near_abort has no threshold above');
  });
});

describe('service status mappings', () => {
  it('have the names and codes of the server', () => {
    expect(Object.fromEntries(serviceStatusMappings.map(({ text, value }) => [text, value]))).toEqual({
      ...serviceStatusCodes,
      unrecognised: -1,
    });
  });
});
