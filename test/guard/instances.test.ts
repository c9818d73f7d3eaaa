import { describe, expect, it } from 'vitest';
import {
  expectedInstances,
  type InstanceMap,
  initialInstances,
  pinnedInstance,
  recordInstances,
  retainNodes,
} from '../../src/guard/instances.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { seededRandom } from '../../src/simulator/seeded-random.ts';

const first = 'RESTPP_1_1';
const second = 'RESTPP_2_1';
const hour = 3_600_000;

interface Times {
  readonly count?: number;
  readonly at?: Millis;
}

/** After `count` lists of a node with these instances. */
function lists(
  map: InstanceMap,
  node: string,
  instances: readonly string[],
  { count = 1, at = 0 }: Times = {},
): InstanceMap {
  let next = map;
  for (let list = 0; list < count; list += 1) next = recordInstances(next, node, new Set(instances), at);
  return next;
}

describe('instance of a node', () => {
  const nothing = initialInstances();

  it('is determined after ten lists with this instance only', () => {
    expect(pinnedInstance(nothing, 'n1', 0)).toBeUndefined();
    expect(pinnedInstance(lists(nothing, 'n1', [first], { count: 9 }), 'n1', 0)).toBeUndefined();
    expect(pinnedInstance(lists(nothing, 'n1', [first], { count: 10 }), 'n1', 0)).toBe(first);
  });

  it('does not change with an empty list', () => {
    const known = lists(nothing, 'n1', [first], { count: 9 });
    expect(pinnedInstance(lists(known, 'n1', [], { count: 9 }), 'n1', 0)).toBeUndefined();
    expect(pinnedInstance(lists(lists(known, 'n1', []), 'n1', [first]), 'n1', 0)).toBe(first);
  });

  it('is undetermined if its lists have several instances, in one list or in turn', () => {
    const known = lists(nothing, 'n1', [first], { count: 9 });
    expect(
      pinnedInstance(lists(lists(known, 'n1', [first, second]), 'n1', [first], { count: 9 }), 'n1', 0),
    ).toBeUndefined();
    expect(pinnedInstance(lists(lists(known, 'n1', [second]), 'n1', [first], { count: 9 }), 'n1', 0)).toBeUndefined();
    expect(pinnedInstance(lists(lists(known, 'n1', [second]), 'n1', [first], { count: 10 }), 'n1', 0)).toBe(first);
  });

  it('is no longer determined if its lists have another instance', () => {
    expect(
      pinnedInstance(lists(lists(nothing, 'n1', [first], { count: 50 }), 'n1', [second]), 'n1', 0),
    ).toBeUndefined();
  });

  it('is undetermined while another node has it, and for an hour after', () => {
    const both = lists(lists(nothing, 'n1', [first], { count: 10 }), 'n2', [first], { at: 1000 });
    expect([0, 1000, hour + 1000].map((now) => pinnedInstance(both, 'n1', now))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(pinnedInstance(both, 'n1', hour + 1001)).toBe(first);
    expect(pinnedInstance(lists(both, 'n2', [first], { count: 20, at: 1000 }), 'n2', 2000)).toBeUndefined();
  });

  it('is the configured one until another node has it', () => {
    const map = initialInstances({ n1: first });
    expect(pinnedInstance(map, 'n1', 0)).toBe(first);
    expect(pinnedInstance(lists(map, 'n1', [first], { count: 20 }), 'n1', 0)).toBe(first);
    expect(pinnedInstance(lists(map, 'n2', [first]), 'n1', 0)).toBeUndefined();
  });

  it.each([[[second]], [[first, second]]] as const)(
    'is uncertain, even if configured, while some lists have %j, until ten lists in a row have it alone',
    (others) => {
      const shuffled = lists(initialInstances({ n1: first }), 'n1', others);
      expect(pinnedInstance(shuffled, 'n1', 0)).toBeUndefined();
      expect(pinnedInstance(lists(shuffled, 'n1', [first], { count: 9 }), 'n1', 0)).toBeUndefined();
      expect(pinnedInstance(lists(shuffled, 'n1', [first], { count: 10 }), 'n1', 0)).toBe(first);
      expect(pinnedInstance(lists(shuffled, 'n1', [second], { count: 20 }), 'n1', 0)).toBeUndefined();
    },
  );

  it('is certain again, if configured, an hour after the last list with another one, also without queries', () => {
    const shuffled = lists(initialInstances({ n1: first }), 'n1', [second], { at: 1000 });
    const idle = lists(shuffled, 'n1', [], { count: 20, at: 2000 });
    expect(pinnedInstance(idle, 'n1', hour + 1000)).toBeUndefined();
    expect(pinnedInstance(idle, 'n1', hour + 1001)).toBe(first);
    const learned = lists(lists(initialInstances(), 'n1', [first], { count: 10 }), 'n1', [second], { at: 1000 });
    expect(pinnedInstance(learned, 'n1', hour + 1001)).toBeUndefined();
  });

  it('remains the expected one while lists have another instance', () => {
    const shuffled = lists(initialInstances({ n1: first, n2: second }), 'n1', [second], { count: 3 });
    expect(expectedInstances(shuffled, 'n1', 0).own).toBe(first);
    expect(expectedInstances(lists(initialInstances({ n1: first }), 'n1', [second]), 'n2', 0).others).toEqual(
      new Set([first]),
    );
  });

  it('is never one that is configured for another node', () => {
    const map = lists(initialInstances({ n1: first }), 'n2', [first], { count: 20 });
    expect(pinnedInstance(map, 'n2', 2 * hour)).toBeUndefined();
    expect(pinnedInstance(map, 'n1', 2 * hour)).toBe(first);
    expect(pinnedInstance(initialInstances({ n1: first, n2: first }), 'n1', 0)).toBeUndefined();
  });
});

describe('expected instances of a list', () => {
  it('are the instance of its node and those of other nodes, if they are determined', () => {
    const map = lists(
      lists(lists(initialInstances(), 'n1', [first], { count: 10 }), 'n2', [second], { count: 10 }),
      'n3',
      ['RESTPP_3_1'],
    );
    expect(expectedInstances(map, 'n1', 0)).toEqual({ own: first, others: new Set([second]) });
    expect(expectedInstances(map, 'n3', 0)).toEqual({ own: undefined, others: new Set([first, second]) });
    expect(expectedInstances(map, 'n4', 0)).toEqual({ own: undefined, others: new Set([first, second]) });
  });
});

it('instance is never determined behind a proxy that mixes two nodes', () => {
  const random = seededRandom(7);
  let map = initialInstances();
  for (let list = 0; list < 20_000; list += 1) {
    const at = list * 2500;
    map = lists(map, list % 2 === 0 ? 'n1' : 'n2', [random.next() < 0.5 ? first : second], { at });
    expect([pinnedInstance(map, 'n1', at), pinnedInstance(map, 'n2', at)]).toEqual([undefined, undefined]);
  }
});

/** A thousand that no node has. */
function inventedFrom(from: number): readonly string[] {
  return Array.from({ length: 1000 }, (_, index) => `RESTPP_${from + index}_9`);
}

describe('instance history', () => {
  it('covers the last hour', () => {
    const map = lists(lists(initialInstances(), 'n1', [second]), 'n1', [first], { at: hour + 1 });
    expect([...map.reports.keys()]).toEqual([first]);
  });

  it('is bounded if a server invents instances, and keeps the instances of nodes', () => {
    const both = lists(lists(initialInstances(), 'n1', [first], { count: 10 }), 'n2', [first, second]);
    let map = both;
    for (let list = 0; list < 5; list += 1) map = lists(map, 'n3', inventedFrom(list * 1000));
    expect(map.reports.size).toBeLessThanOrEqual(1001);
    expect(pinnedInstance(map, 'n1', 0)).toBeUndefined();
  });

  it('is removed with its node, and is determined again for a new node name', () => {
    const before = lists(initialInstances(), 'n1', [first], { count: 10 });
    const after = retainNodes(before, ['m1']);
    expect(pinnedInstance(lists(before, 'm1', [first], { count: 10 }), 'm1', 0)).toBeUndefined();
    expect(pinnedInstance(lists(after, 'm1', [first], { count: 10 }), 'm1', 0)).toBe(first);
    expect(retainNodes(before, ['n1', 'm1'])).toEqual(before);
  });
});
