import { describe, expect, it } from 'vitest';
import {
  greenAbove,
  greenBelow,
  query,
  queryWithExemplars,
  row,
  stat,
  timeseries,
  zeroOne,
} from '../../../../tools/generate/dashboards/panels.ts';

const up = query('up', '{{node}}');

describe('panel constructors', () => {
  it('set the type and its defaults', () => {
    expect(timeseries('Nodes', 'Nodes that respond.', up)).toEqual({
      type: 'timeseries',
      title: 'Nodes',
      description: 'Nodes that respond.',
      unit: 'short',
      height: 8,
      scale: { min: 0 },
      queries: [{ expr: 'up', legend: '{{node}}' }],
    });
    expect(stat('Nodes', 'Nodes that respond.', up)).toMatchObject({ type: 'stat', unit: 'short', height: 5 });
  });

  it('accept several queries, and options that replace the defaults', () => {
    const both = [up, queryWithExemplars('down', 'down')];
    expect(timeseries('Nodes', '', both, { unit: 's', scale: {}, rules: ['node_unreachable'] })).toMatchObject({
      queries: [up, { exemplar: true }],
      unit: 's',
      scale: {},
      rules: ['node_unreachable'],
    });
  });
});

describe('row', () => {
  it('gives its width to panels without their own', () => {
    const { panels } = row('Nodes', 8, [timeseries('A', '', up), timeseries('B', '', up, { width: 24 })]);
    expect(panels.map(({ width }) => width)).toEqual([8, 24]);
  });
});

describe('thresholds and mappings', () => {
  it('have one color per step', () => {
    expect(greenBelow(3, 'red').map(({ from, color }) => [from, color])).toEqual([
      [0, 'green'],
      [3, 'red'],
    ]);
    expect(greenAbove(1, 2).map(({ from, color }) => [from, color])).toEqual([
      [0, 'red'],
      [1, 'orange'],
      [2, 'green'],
    ]);
    expect(zeroOne(['no', 'blue'], ['yes', 'green'])).toEqual([
      { value: 0, text: 'no', color: 'blue' },
      { value: 1, text: 'yes', color: 'green' },
    ]);
  });
});
