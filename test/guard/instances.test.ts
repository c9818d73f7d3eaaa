import { describe, expect, it } from 'vitest';
import {
  type InstanceMap,
  initialInstances,
  instanceOf,
  instancesFor,
  instancesOf,
  told,
} from '../../src/guard/instances.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { seededRandom } from '../../src/simulator/chance.ts';

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
  for (let list = 0; list < count; list += 1) next = told(next, node, new Set(instances), at);
  return next;
}

describe('the instance of a node', () => {
  const nothing = initialInstances();

  it('is known after ten lists that had it alone', () => {
    expect(instanceOf(nothing, 'n1', 0)).toBeUndefined();
    expect(instanceOf(lists(nothing, 'n1', [first], { count: 9 }), 'n1', 0)).toBeUndefined();
    expect(instanceOf(lists(nothing, 'n1', [first], { count: 10 }), 'n1', 0)).toBe(first);
  });

  it('is not told by empty lists, which change nothing', () => {
    const known = lists(nothing, 'n1', [first], { count: 9 });
    expect(instanceOf(lists(known, 'n1', [], { count: 9 }), 'n1', 0)).toBeUndefined();
    expect(instanceOf(lists(lists(known, 'n1', []), 'n1', [first]), 'n1', 0)).toBe(first);
  });

  it('is not known where its lists have several, in one or in turn', () => {
    const known = lists(nothing, 'n1', [first], { count: 9 });
    expect(
      instanceOf(lists(lists(known, 'n1', [first, second]), 'n1', [first], { count: 9 }), 'n1', 0),
    ).toBeUndefined();
    expect(instanceOf(lists(lists(known, 'n1', [second]), 'n1', [first], { count: 9 }), 'n1', 0)).toBeUndefined();
    expect(instanceOf(lists(lists(known, 'n1', [second]), 'n1', [first], { count: 10 }), 'n1', 0)).toBe(first);
  });

  it('is no longer known once its lists have another', () => {
    expect(instanceOf(lists(lists(nothing, 'n1', [first], { count: 50 }), 'n1', [second]), 'n1', 0)).toBeUndefined();
  });

  it('is not known while another node has it as well, nor for an hour after', () => {
    const both = lists(lists(nothing, 'n1', [first], { count: 10 }), 'n2', [first], { at: 1000 });
    expect([0, 1000, hour + 1000].map((now) => instanceOf(both, 'n1', now))).toEqual([undefined, undefined, undefined]);
    expect(instanceOf(both, 'n1', hour + 1001)).toBe(first);
    expect(instanceOf(lists(both, 'n2', [first], { count: 20, at: 1000 }), 'n2', 2000)).toBeUndefined();
  });

  it('is what the configuration says, until another node has it', () => {
    const map = initialInstances({ n1: first });
    expect(instanceOf(map, 'n1', 0)).toBe(first);
    expect(instanceOf(lists(map, 'n1', [first], { count: 20 }), 'n1', 0)).toBe(first);
    expect(instanceOf(lists(map, 'n2', [first]), 'n1', 0)).toBeUndefined();
  });

  it.each([[[second]], [[first, second]]] as const)(
    'is not sure in spite of the configuration while its lists have %j now and then: ten in a row are to have it alone',
    (others) => {
      const shuffled = lists(initialInstances({ n1: first }), 'n1', others);
      expect(instanceOf(shuffled, 'n1', 0)).toBeUndefined();
      expect(instanceOf(lists(shuffled, 'n1', [first], { count: 9 }), 'n1', 0)).toBeUndefined();
      expect(instanceOf(lists(shuffled, 'n1', [first], { count: 10 }), 'n1', 0)).toBe(first);
      expect(instanceOf(lists(shuffled, 'n1', [second], { count: 20 }), 'n1', 0)).toBeUndefined();
    },
  );

  it('is what lists are held against that have another one, for as long as they do', () => {
    const shuffled = lists(initialInstances({ n1: first, n2: second }), 'n1', [second], { count: 3 });
    expect(instancesFor(shuffled, 'n1', 0).own).toBe(first);
    expect(instancesFor(lists(initialInstances({ n1: first }), 'n1', [second]), 'n2', 0).others).toEqual(
      new Set([first]),
    );
  });

  it('is never one that the configuration gives to another', () => {
    const map = lists(initialInstances({ n1: first }), 'n2', [first], { count: 20 });
    expect(instanceOf(map, 'n2', 2 * hour)).toBeUndefined();
    expect(instanceOf(map, 'n1', 2 * hour)).toBe(first);
    expect(instanceOf(initialInstances({ n1: first, n2: first }), 'n1', 0)).toBeUndefined();
  });
});

describe('how the lists of a node are read', () => {
  it('by its own instance and those of the others, as far as they are known', () => {
    const map = lists(
      lists(lists(initialInstances(), 'n1', [first], { count: 10 }), 'n2', [second], { count: 10 }),
      'n3',
      ['RESTPP_3_1'],
    );
    expect(instancesFor(map, 'n1', 0)).toEqual({ own: first, others: new Set([second]) });
    expect(instancesFor(map, 'n3', 0)).toEqual({ own: undefined, others: new Set([first, second]) });
    expect(instancesFor(map, 'n4', 0)).toEqual({ own: undefined, others: new Set([first, second]) });
  });
});

it('is never known behind a proxy that shuffles two nodes', () => {
  const random = seededRandom(7);
  let map = initialInstances();
  for (let list = 0; list < 20_000; list += 1) {
    const at = list * 2500;
    map = lists(map, list % 2 === 0 ? 'n1' : 'n2', [random.next() < 0.5 ? first : second], { at });
    expect([instanceOf(map, 'n1', at), instanceOf(map, 'n2', at)]).toEqual([undefined, undefined]);
  }
});

/** A thousand that no node has. */
function inventedFrom(from: number): readonly string[] {
  return Array.from({ length: 1000 }, (_, place) => `RESTPP_${from + place}_9`);
}

describe('what is remembered of the lists', () => {
  it('is of the last hour', () => {
    const map = lists(lists(initialInstances(), 'n1', [second]), 'n1', [first], { at: hour + 1 });
    expect([...map.reports.keys()]).toEqual([first]);
  });

  it('is not without end where a server invents instances: those that nodes have are not lost by that', () => {
    const both = lists(lists(initialInstances(), 'n1', [first], { count: 10 }), 'n2', [first, second]);
    let map = both;
    for (let list = 0; list < 5; list += 1) map = lists(map, 'n3', inventedFrom(list * 1000));
    expect(map.reports.size).toBeLessThanOrEqual(1001);
    expect(instanceOf(map, 'n1', 0)).toBeUndefined();
  });

  it('goes with a node that is gone: under another name it is told anew', () => {
    const before = lists(initialInstances(), 'n1', [first], { count: 10 });
    const after = instancesOf(before, ['m1']);
    expect(instanceOf(lists(before, 'm1', [first], { count: 10 }), 'm1', 0)).toBeUndefined();
    expect(instanceOf(lists(after, 'm1', [first], { count: 10 }), 'm1', 0)).toBe(first);
    expect(instancesOf(before, ['n1', 'm1'])).toEqual(before);
  });
});
