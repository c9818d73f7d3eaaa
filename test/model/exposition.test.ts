import { describe, expect, it } from 'vitest';
import { labelPairs, labelValue } from '../../src/model/exposition.ts';

const series = { name: 'a', pairs: ['host_id', 'm1', 'service_name', '', 'path', 'host_id'] };

describe('series of an upstream page', () => {
  it('give a label by its name, never by its value', () => {
    expect(labelValue(series, 'host_id')).toBe('m1');
    expect(labelValue(series, 'path')).toBe('host_id');
    expect(labelValue(series, 'm1')).toBe('');
    expect(labelValue({ name: 'a', pairs: [] }, 'host_id')).toBe('');
  });

  it('list their labels in the order of the page', () => {
    expect([...labelPairs(series)]).toEqual([
      ['host_id', 'm1'],
      ['service_name', ''],
      ['path', 'host_id'],
    ]);
  });
});
