import { describe, expect, it } from 'vitest';
import { opinionKey, opinionsOf } from '../../src/app/guard-eyes.ts';
import type { Policy } from '../../src/guard/policy.ts';
import { settingsOf, World } from '../guard/decision/world.ts';
import { at } from '../guard/listed.ts';
import { policyOf } from '../guard/policy-of.ts';

const slow = policyOf({ name: 'slow', when: { age: '> 12s' } });
const named = policyOf({ name: 'named', when: { query: 'ring_*' } });

/** What a guard with such policies thinks of its one query. */
function watching(policies: readonly Policy[]) {
  const world = new World(settingsOf(policies)).begin();
  const { id, node } = world.start();
  const opinion = () => opinionsOf(world.state, world.now()).get(opinionKey(node, id));
  return { world, id, opinion };
}

describe('who has a say in a query', () => {
  it('is nobody before it is listed, and where nothing is meant', () => {
    expect(opinionsOf(new World(settingsOf([slow])).begin().state, at(0)).size).toBe(0);
    const { world, opinion } = watching([policyOf({ when: { graph: 'sandbox', age: '> 12s' } })]);
    world.run(30_000);
    expect(opinion()).toBeUndefined();
  });

  it('is known beforehand where time alone is missing', () => {
    const { world, opinion } = watching([slow]);
    world.run(6000);
    expect(opinion()).toMatchObject({ isMatched: false, match: { policy: slow } });
    const matchesAt = (opinion()?.matchesAt ?? 0) - at(12_000).mono;
    expect(matchesAt).toBeGreaterThanOrEqual(0);
    expect(matchesAt).toBeLessThan(100);
  });

  it('is who decides, from the same instant on', () => {
    const { world, opinion } = watching([slow]);
    world.run(20_000);
    const [began] = world.of('began');
    expect(opinion()).toMatchObject({ isMatched: true, matchesAt: began?.decision.matchedAt, match: { owns: true } });
  });

  it('is no match until it is confirmed, for which there is an earliest time', () => {
    const { world, opinion } = watching([named]);
    world.run(100);
    expect(opinion()).toMatchObject({ isMatched: false, matchesAt: at(4500).mono });
    world.run(2900);
    expect(opinion()).toMatchObject({ isMatched: false, matchesAt: at(4500).mono });
    world.run(5000);
    const { isMatched, matchesAt = 0 } = opinion() ?? {};
    expect(isMatched).toBe(true);
    expect(matchesAt).toBeGreaterThanOrEqual(at(4500).mono);
    expect(matchesAt).toBeLessThanOrEqual(world.now().mono);
  });

  it('is never said to match in the past where that is not known yet', () => {
    const { world, opinion } = watching([{ ...named, confirm: { sightings: 2, apart: 60_000 } }]);
    world.run(10_000);
    expect(opinion()).toMatchObject({ isMatched: false, matchesAt: at(54_000).mono });
    const later = at(70_000);
    const [late] = opinionsOf(world.state, later).values();
    expect(late).toMatchObject({ isMatched: false, matchesAt: later.mono });
  });

  it('is its owner rather than who will match it, though that stands first', () => {
    const { world, opinion } = watching([slow, named]);
    world.run(8000);
    expect(opinion()?.match.policy.name).toBe('named');
  });

  it('is who will match it first where several will', () => {
    const slower = { ...slow, name: 'slower', when: policyOf({ when: { age: '> 20s' } }).when };
    for (const policies of [
      [slower, slow],
      [slow, slower],
    ]) {
      const { world, opinion } = watching(policies);
      world.run(6000);
      expect(opinion()?.match.policy.name).toBe('slow');
    }
  });

  it('is told of each node by itself', () => {
    const world = new World(settingsOf([named]), {}, { nodes: ['n1', 'n2'], instances: {} }).begin();
    const ids = ['n1', 'n2'].map((node) => opinionKey(node, world.start({ node }).id));
    world.run(100);
    expect([...opinionsOf(world.state, world.now()).keys()].toSorted()).toEqual(ids);
  });

  it('is nobody where the node is not seen any more', () => {
    const { world } = watching([named]);
    world.run(8000);
    expect(opinionsOf({ ...world.state, views: new Map() }, world.now()).size).toBe(0);
  });
});
