import type { Draw } from './draw.ts';
import type { Addition, Ground } from './ground.ts';
import type { Spell, Trouble } from './plan.ts';
import { ripeAt, runaway } from './queries.ts';

const bad: readonly Trouble[] = [
  'list fails',
  'list is malformed',
  'list has an error',
  'list is slow',
  'list is frozen',
  'list has an id twice',
  'list has a foreign entry',
];

/** Lists are bad in several ways, for some time. */
export function badLists(ground: Ground, draw: Draw): Addition {
  return spellsOf(bad, ground, draw);
}

/** Something goes on telling the same list, while those that it tells of end. */
export function frozenLists({ nodes, settings }: Ground, draw: Draw): Addition {
  const from = draw.between(45_000, 80_000);
  const drafts = nodes.flatMap(({ name }) =>
    [0, 1, 2].map(() => {
      const at = Math.max(0, from - ripeAt(draw.of(settings.policies)) + draw.between(-15_000, 2000));
      return runaway(name, at, draw, { waits: 0, lasts: from - at + draw.between(500, 8000) });
    }),
  );
  return { drafts, spells: [{ trouble: 'list is frozen', from, to: from + draw.between(10_000, 45_000), share: 1 }] };
}

/** Each entry is there twice, the second time as what it is not. */
export function idsTwice({ nodes, length }: Ground, draw: Draw): Addition {
  const drafts = [0, 1, 2].map(() => {
    const name = draw.of(['keep_1', 'report_1', 'etl_1']);
    const url = `/query/sandbox/${name}`;
    return runaway(draw.of(nodes).name, draw.between(0, 30_000), draw, {
      graph: 'sandbox',
      name,
      url,
      isInstalled: true,
    });
  });
  const node = draw.of(nodes).name;
  return { drafts, spells: [{ trouble: 'list has an id twice', from: 0, to: length, node, share: draw.of([0.5, 1]) }] };
}

/** Three spells, somewhere. */
export function spellsOf(troubles: readonly Trouble[], { nodes, length }: Ground, draw: Draw): Addition {
  const some = Array.from({ length: 3 }, (): Spell => {
    const from = draw.between(0, length - 60_000);
    const node = draw.of(nodes).name;
    return {
      trouble: draw.of(troubles),
      from,
      to: from + draw.between(3000, 40_000),
      share: draw.of([0.3, 1, 1]),
      ...(draw.chance(0.7) && { node }),
    };
  });
  return { spells: some };
}

/** From the beginning to the end. */
export function throughout(troubles: readonly Trouble[], { length }: Ground, draw: Draw): Addition {
  return { spells: troubles.map((trouble) => ({ trouble, from: 0, to: length, share: draw.of([0.5, 1, 1]) })) };
}
