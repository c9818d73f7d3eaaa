import type { Millis } from '../../src/kernel/time.ts';
import type { Draw } from './draw.ts';
import type { Addition, Ground } from './ground.ts';
import { mixedNodes, odysseys, restarts, wrongAges } from './ids.ts';
import { badLists, frozenLists, idsTwice, spellsOf, throughout } from './lists.ts';
import type { Kind, PressurePlan } from './plan.ts';
import { endless, ripeAt, runaway } from './queries.ts';
import { reloads } from './reloading.ts';

type Way = (ground: Ground, draw: Draw) => Addition;

/** One for each kind. */
const ways: Readonly<Record<Kind, Way>> = {
  healthy: () => ({}),
  finishing,
  'same endpoint again': sameEndpoint,
  'node restart': restarts,
  'mixed nodes': mixedNodes,
  'our clock': ourClock,
  'their clocks': odysseys,
  'bad lists': badLists,
  'frozen lists': frozenLists,
  'ids twice': idsTwice,
  'queued first': queued,
  'hostile lists': (ground, draw) => throughout(['list is hostile', 'list has odd entries'], ground, draw),
  'wrong ages': wrongAges,
  pauses,
  crashes,
  'slow disk': slowDisk,
  'odd answers': oddAnswers,
  crowds,
  pressure,
  hours: (ground, draw) => (draw.chance(0.4) ? ourClock(ground, draw) : {}),
  reloads,
};

/** What goes wrong in a scene of a kind. */
export function trouble(kind: Kind, ground: Ground, draw: Draw): Addition {
  return ways[kind](ground, draw);
}

/** Queries that end by themselves just when they are about to be aborted. */
function finishing({ nodes, settings }: Ground, draw: Draw): Addition {
  const drafts = Array.from({ length: 6 }, () => {
    const lasts = Math.max(1000, ripeAt(draw.of(settings.policies)) + draw.between(-6000, 1500));
    return runaway(draw.of(nodes).name, draw.between(0, 70_000), draw, { lasts, waits: 0 });
  });
  return { drafts };
}

/** Clients that ask for the same thing again and again. */
function sameEndpoint({ nodes, settings }: Ground, draw: Draw): Addition {
  const drafts = [0, 1, 2].flatMap(() => {
    const first = runaway(draw.of(nodes).name, draw.between(0, 30_000), draw, { waits: 0 });
    let at = first.at;
    return Array.from({ length: 4 }, () => {
      const lasts = Math.max(500, ripeAt(draw.of(settings.policies)) + draw.between(-8000, 3000));
      const one = { ...first, at, lasts };
      at += lasts + draw.between(0, 300);
      return one;
    });
  });
  return { drafts };
}

/** Our own clock is set. With somebody who lies about ages, since that is when it is hard to tell. */
function ourClock(ground: Ground, draw: Draw): Addition {
  // Two of them between two looks at the clock could undo each other.
  const steps = Array.from({ length: draw.between(1, 3) }, (_, index) => ({
    at: 5000 + index * 40_000 + draw.between(0, 25_000),
    kind: 'our clock' as const,
    by: draw.of([-3_600_000, -30_000, -1500, 1500, 10_000, 60_000, 3_600_000]),
  }));
  return { ...(draw.chance(0.5) ? wrongAges(ground, draw) : {}), happenings: steps };
}

/** Queries that waited for longer than they may run. */
function queued({ nodes }: Ground, draw: Draw): Addition {
  const drafts = Array.from({ length: 5 }, () =>
    runaway(draw.of(nodes).name, draw.between(0, 30_000), draw, {
      waits: draw.between(5000, 90_000),
      lasts: draw.of([4000, 12_000, endless]),
    }),
  );
  return { drafts };
}

/** Somebody stops the guard, and lets it go on; sometimes for good. */
function pauses(_: Ground, draw: Draw): Addition {
  const times = Array.from({ length: draw.between(1, 6) }, () => draw.between(0, 110_000)).toSorted(
    (one, other) => one - other,
  );
  const switched = times.map((at, index) => ({ at, kind: 'paused' as const, isPaused: index % 2 === 0 }));
  return {
    happenings: [
      ...switched,
      ...(draw.chance(0.3) ? [{ at: draw.between(50_000, 120_000), kind: 'stop' as const }] : []),
    ],
  };
}

/** Our process dies, and comes back; what it aborted may still be listed. */
function crashes({ nodes }: Ground, draw: Draw): Addition {
  const happenings = Array.from({ length: draw.between(1, 3) }, (_, index) => ({
    at: 15_000 + index * 35_000 + draw.between(0, 25_000),
    kind: 'crash' as const,
    down: draw.between(200, 8000),
  }));
  const zombies = Array.from({ length: 2 }, () =>
    runaway(draw.of(nodes).name, draw.between(0, 20_000), draw, { isZombie: true }),
  );
  return { happenings, drafts: zombies };
}

/** Too many at once. An operator closes what opened. */
function crowds({ nodes }: Ground, draw: Draw): Addition {
  const at: Millis = draw.between(0, 40_000);
  const one = runaway(draw.of(nodes).name, at, draw, {
    graph: 'fraud',
    name: 'adhoc_1',
    url: '/query/fraud/adhoc_1',
    isInstalled: true,
  });
  const same = Array.from({ length: draw.between(3, 7) }, () => ({
    ...one,
    at: at + draw.between(0, 20_000),
    node: draw.of(nodes).name,
  }));
  const reset = { at: draw.between(70_000, 120_000), kind: 'reset' as const, breaker: 'same_query fraud adhoc_1' };
  return { drafts: same, happenings: draw.chance(0.4) ? [reset] : [] };
}

/** Nodes are short of something, or are not, or nobody knows. */
function pressure({ nodes }: Ground, draw: Draw): Addition {
  const isRelieved = draw.chance(0.4);
  const isSteady = draw.chance(0.5);
  const of = (node: string, source: 'node_memory' | 'queue_depth', high: number): PressurePlan => {
    const shown = () => (isSteady || draw.chance(0.8) ? high : draw.of([[undefined], [0]])[0]);
    const values = Array.from({ length: 20 }, shown);
    return { node, source, every: draw.of([3000, 5000]), values, relief: isRelieved ? high / 10 : 0 };
  };
  const drafts = Array.from({ length: draw.between(4, 10) }, () => {
    const name = draw.of(['adhoc_1', 'adhoc_2', 'adhoc_3', 'adhoc_4']);
    const url = `/query/fraud/${name}`;
    return runaway(draw.of(nodes).name, draw.between(0, 30_000), draw, {
      graph: 'fraud',
      name,
      url,
      isInstalled: true,
    });
  });
  return {
    drafts,
    pressures: nodes.flatMap(({ name }) => [of(name, 'node_memory', 0.95), of(name, 'queue_depth', 40)]),
  };
}

/** Intents take long to get to the disk, or never get there; meanwhile much happens. */
function slowDisk(ground: Ground, draw: Draw): Addition {
  const { happenings = [] } = pauses(ground, draw);
  const slow = { trouble: 'commit is slow' as const, from: 0, to: ground.length, share: draw.of([0.3, 0.7]) };
  const { spells = [] } = spellsOf(['commit fails'], ground, draw);
  const mended = [60_000, 90_000, 120_000].map((at) => ({ at, kind: 'writable' as const }));
  return {
    ...finishing(ground, draw),
    spells: draw.chance(0.5) ? [slow, ...spells] : [slow],
    happenings: [...mended, ...(draw.chance(0.6) ? happenings : [])],
  };
}

/** Servers answer aborts in all ways but the usual one. */
function oddAnswers(ground: Ground, draw: Draw): Addition {
  const troubles = [
    'abort is lost',
    'answer is lost',
    'abort is refused',
    'answer is empty',
    'answer is slow',
  ] as const;
  return throughout([draw.chance(0.4) ? 'answer names another' : draw.of(troubles)], ground, draw);
}
