import { expect, it } from 'vitest';
import { collectors } from '../../../src/collect/all.ts';
import { collectorTable, readme } from '../../../tools/generate/readme.ts';

const base = { name: 'one', about: 'First. Second.', defaults: { enabled: true, interval: 5000, timeout: 1000 } };

it('the README › lists every collector, and no others', () => {
  const rows = [...readme().text.matchAll(/^\| `(\w+)` \| [^|]+ \| [A-Z]/gm)].map(([, name]) => name);
  expect(rows).toEqual(collectors.map(({ name }) => name));
});

it('collectorTable › has the interval and the first sentence of each collector', () => {
  const off = { ...base.defaults, enabled: false };
  const rows = collectorTable([
    base,
    { ...base, defaults: off },
    { ...base, defaults: { ...off, schedule: '0 3 * * SUN' }, taskRuns: () => [] },
  ]).split('\n');
  expect(rows.slice(2)).toEqual([
    '| `one` | 5s | First. |',
    '| `one` | 5s, off by default | First. |',
    '| `one` | by cron, off by default | First. Changes the server. |',
  ]);
});
