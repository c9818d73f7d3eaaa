import { expect, it } from 'vitest';
import { hasFreshFacts } from '../../src/alert/evaluation.ts';
import type { CollectorView } from '../../src/model/situation.ts';
import { situationOf } from './alerting-testbed.ts';

function view(collector: string, node: string, fresh: boolean): CollectorView {
  return { collector, node, fresh, reason: '', message: '', dueSince: 0 };
}

const collectors = [
  view('health', 'm1', true),
  view('health', 'm2', false),
  view('services', '', true),
  view('license', '', false),
];
const situation = { ...situationOf({ rules: {} }), collectors };

it.each([
  [['health'], { node: 'm1' }, true],
  [['health'], { node: 'm2' }, false],
  [['health'], { node: 'm9' }, true],
  [['health'], {}, false],
  [['services'], {}, true],
  [['services'], { node: 'm2' }, true],
  [['services', 'license'], {}, false],
  [['health', 'services'], { node: 'm1' }, true],
  [['switched_off'], {}, true],
  [[], {}, true],
] satisfies readonly (readonly [readonly string[], Readonly<Record<string, string>>, boolean])[])(
  'by %j at %j it is %s',
  (needs, identity, expected) => {
    expect(hasFreshFacts({ needs }, situation, identity)).toBe(expected);
  },
);

it('no node fact is fresh before a node is discovered', () => {
  const none = { ...situation, nodes: [] };
  expect(hasFreshFacts({ needs: ['services'] }, none, { node: 'm1' })).toBe(false);
  expect(hasFreshFacts({ needs: ['services'] }, none, {})).toBe(true);
});

it('no fact is fresh before a collector is declared', () => {
  expect(hasFreshFacts({ needs: [] }, { ...situation, collectors: [] }, {})).toBe(false);
});
