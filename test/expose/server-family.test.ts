import { expect, it } from 'vitest';
import { baseLabels } from '../../src/expose/labels.ts';
import { draftServerFamily } from '../../src/expose/server-family.ts';
import { family } from './metrics-pages.ts';

it('server family › drafts the series of a server with its own labels, and renames those that graphwarden sets', () => {
  const limit = { valueBytes: 256, cut: 0 };
  const base = baseLabels({ cluster_name: 'c', node: 'm1' }, limit);
  const series = [
    [{ x: '1' }, '1'],
    [{ node: 'a' }, '2'],
  ] as const;
  const { rows } = draftServerFamily(family('svc_a', 'gauge', [...series]), base, limit);
  expect(rows.keys.map((key) => rows.prefix(key))).toEqual([
    'svc_a{cluster_name="c",node="m1",x="1"} ',
    'svc_a{cluster_name="c",node="m1",exported_node="a"} ',
  ]);
});
