import type { Millis } from '../../src/kernel/time.ts';
import type { Draw } from './draw.ts';
import type { Addition, Ground } from './ground.ts';
import { type Draft, endless, runaway } from './queries.ts';

/** A node restarts, and its clock may go back: then ids come again. Whoever gets one comes a while after the restart. */
export function restarts({ nodes, drafts }: Ground, draw: Draw): Addition {
  const { name, tag, ahead } = draw.of(nodes);
  const at = draw.between(15_000, 80_000);
  const isOther = draw.chance(0.3);
  const old = drafts.filter((one) => one.node === name && one.at < at && one.lasts === endless);
  const again = old.map((one) => ({
    ...runaway(name, at + draw.between(4000, 20_000), draw),
    url: one.url,
    graph: one.graph,
    name: one.name,
    isInstalled: one.isInstalled,
  }));
  return {
    drafts: again.map((one, index) => {
      const reuses = old[index];
      return reuses === undefined || isOther || draw.chance(0.3) ? one : { ...one, reuses };
    }),
    happenings: [
      {
        at,
        kind: 'node restarts',
        node: name,
        tag: isOther ? tag.replace('_1_', '_2_') : tag,
        ahead: ahead - draw.of([0, 10_000, 60_000]),
      },
    ],
  };
}

/** Requests for two nodes get to either of them, or both have ids of the same looks. */
export function mixedNodes({ nodes, drafts, length }: Ground, draw: Draw): Addition {
  const [one, other] = nodes;
  if (one === undefined || other === undefined) return {};
  const there = drafts.filter(({ node, lasts }) => node === one.name && lasts === endless);
  const alike = there.map((reuses) => ({ ...runaway(other.name, reuses.at + draw.between(1, 20_000), draw), reuses }));
  const from = draw.chance(0.7) ? 0 : draw.between(0, 60_000);
  const shuffle = [one, other].map(({ name }) => ({
    trouble: 'nodes are shuffled' as const,
    from,
    to: length,
    share: 1,
    node: name,
  }));
  return draw.chance(0.6) ? { spells: shuffle, drafts: pair(nodes, draw) } : { drafts: alike };
}

/** One where nodes are shuffled and one elsewhere: listed three times, they could pass for three. */
function pair(nodes: Ground['nodes'], draw: Draw): readonly Draft[] {
  const plain = { graph: 'fraud', name: 'adhoc_4', url: '/query/fraud/adhoc_4', isInstalled: true };
  const places = [draw.of(nodes.slice(0, 2)), ...nodes.slice(2)];
  return places.map(({ name }) => runaway(name, draw.between(0, 50_000), draw, plain));
}

const steps: readonly Millis[] = [-3_600_000, -20_000, -2000, 2000, 20_000, 3_600_000];

/** Clocks of nodes drift (see the plan of the nodes) and are set: where ages are told by them, not before us. */
export function odysseys({ nodes, begins }: Ground, draw: Draw): Addition {
  const sets = nodes.map(({ name, isByWall }) => ({
    at: isByWall ? begins + draw.between(12_000, 60_000) : draw.between(5000, 110_000),
    kind: 'their clock' as const,
    node: name,
    by: isByWall ? draw.of([-20_000, 20_000, 60_000, 3_600_000]) : draw.of(steps),
  }));
  const isSet = draw.chance(0.6) || nodes.some(({ isByWall }) => isByWall);
  return { happenings: isSet ? sets : [] };
}

/** Queries of which the server says too much: one on each node, among those that come and go as they should. */
export function wrongAges({ nodes, begins }: Ground, draw: Draw): Addition {
  const drafts = nodes.map(({ name }) =>
    // Not before us: one list of one query looks the same where its age is wrong and where the clock of its node is.
    runaway(name, begins + draw.between(12_000, 60_000), draw, {
      graph: 'fraud',
      name: 'adhoc_1',
      url: '/query/fraud/adhoc_1',
      isInstalled: true,
      waits: 0,
      lasts: draw.between(10_000, 50_000),
      // Less than the longest time between two lists can be told as well as a query that came in between.
      lie: draw.of([2000, 40_000, 600_000]),
    }),
  );
  return draw.chance(0.5) ? { drafts } : { drafts, happenings: drafts.map((one) => setFor(one, draw)) };
}

/** A clock that is set so that it bears a wrong age out, as soon as others have come in by that clock. */
function setFor({ node, at, lie }: Draft, draw: Draw) {
  return {
    at: at + draw.between(1000, 8000),
    kind: 'their clock' as const,
    node,
    by: lie + draw.of([0, 3000, 90_000]),
  };
}
