import { expect, it } from 'vitest';
import { openAt } from '../../../crash/oracle/open.ts';
import { alerted, line, livesOf, paged, posted } from '../logs.ts';

const trigger = { action: 'trigger', episode: 7 } as const;
const resolve = { action: 'resolve', episode: 7 } as const;
const other = { ...trigger, instance: 'GPE_1#2' };

it('is what was triggered and not resolved, as far as it was taken', () => {
  const lives = livesOf(1);
  const letters = [
    paged(1000, other),
    paged(1000, trigger),
    paged(2000, resolve, { taken: false }),
    posted(1000, [line(trigger, '10:00:01'), line(other, '10:00:01')]),
    posted(2000, [line(resolve, '10:00:01', '10:00:02')]),
    alerted(1000, trigger),
    alerted(2000, resolve),
  ];
  expect(openAt('pagerduty', { letters, lives })).toEqual(['GPE_1#1', 'GPE_1#2']);
  expect(openAt('slack', { letters, lives })).toEqual(['GPE_1#2']);
  expect(openAt('alertmanager', { letters, lives })).toEqual([]);
});
