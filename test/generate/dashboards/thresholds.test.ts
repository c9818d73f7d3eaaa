import { describe, expect, it } from 'vitest';
import { dashboards } from '../../../generate/dashboards/all.ts';
import { serviceStates } from '../../../generate/dashboards/states.ts';
import { engineAbortsBelow, threshold } from '../../../generate/dashboards/thresholds.ts';
import { rules } from '../../../src/alert/rules/all.ts';
import { serviceStatusCodes } from '../../../src/model/service.ts';

const panels = dashboards.flatMap(({ rows }) => rows.flatMap((row) => row.panels));
const linesOf = (title: string) =>
  panels.find((panel) => panel.title === title)?.steps?.map(({ from }) => from) ?? expect.fail(title);

describe('the lines on panels', () => {
  it('are where the alerts are', () => {
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

  it('know of the engine what the rule says of it', () => {
    const said = rules.find(({ name }) => name === 'memory_near_abort')?.description;
    expect(said).toContain(`aborts queries below ${engineAbortsBelow * 100} %`);
    expect(said).toContain(`slows down below ${threshold('memory_near_abort', 'throttled_below') * 100} %`);
  });

  it('rise from one to the next', () => {
    for (const { steps = [] } of panels) {
      const from = steps.map((step) => step.from);
      expect(from).toEqual(from.toSorted((one, other) => one - other));
    }
  });

  it('are of rules and thresholds that there are', () => {
    expect(() => threshold('memory_near_abort', 'above')).toThrow('no threshold above of memory_near_abort');
  });
});

describe('the states of services', () => {
  it('have the names and codes of the server, and colours of their own where they are bad', () => {
    expect(Object.fromEntries(serviceStates.map(({ text, value }) => [text, value]))).toEqual(serviceStatusCodes);
    expect(new Set(serviceStates.map(({ color }) => color)).size).toBe(serviceStates.length);
  });
});
