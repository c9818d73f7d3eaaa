import { describe, expect, it } from 'vitest';
import { labelOf, labelsOf } from '../../src/model/exposition.ts';

const series = { name: 'a', pairs: ['host_id', 'm1', 'service_name', '', 'path', 'host_id'] };

describe('series of an upstream page', () => {
  it('give a label by its name, never by its value', () => {
    expect(labelOf(series, 'host_id')).toBe('m1');
    expect(labelOf(series, 'path')).toBe('host_id');
    expect(labelOf(series, 'm1')).toBe('');
    expect(labelOf({ name: 'a', pairs: [] }, 'host_id')).toBe('');
  });

  it('list their labels in the order of the page', () => {
    expect([...labelsOf(series)]).toEqual([
      ['host_id', 'm1'],
      ['service_name', ''],
      ['path', 'host_id'],
    ]);
  });
});
