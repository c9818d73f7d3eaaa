import { describe, expect, it } from 'vitest';
import { collectorKey, parseCollectorKey } from '../../src/model/collector-key.ts';

const target = { cluster: 'prod', collector: 'queries', node: 'm1' };

describe('collectorKey', () => {
  it('does not depend on the order of the fields', () => {
    expect(collectorKey({ node: 'm1', collector: 'queries', cluster: 'prod' })).toBe(collectorKey(target));
  });

  it('is parsed into the same target', () => {
    expect(parseCollectorKey(collectorKey(target))).toEqual(target);
  });

  it.each([
    { cluster: 'test', collector: 'queries', node: 'm1' },
    { cluster: 'prod', collector: 'health', node: 'm1' },
    { cluster: 'prod', collector: 'queries', node: '' },
    { cluster: 'prod","queries', collector: 'm1', node: '' },
    { cluster: 'prod', collector: 'queries","m1', node: '' },
  ])('differs for any other target: %j', (other) => {
    expect(collectorKey(other)).not.toBe(collectorKey(target));
  });
});
