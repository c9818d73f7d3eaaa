import { expect, it } from 'vitest';
import { tellingsTo } from '../../../crash/oracle/tellings.ts';
import { alerted, foldedLine, line, livesOf, paged, posted } from '../logs.ts';

const trigger = { action: 'trigger', episode: 7 } as const;
const resolve = { action: 'resolve', episode: 7 } as const;

it('calls an incident by the same name whoever is told of it', () => {
  const id = tellingsTo('pagerduty', [paged(1000, trigger)], livesOf(1))[0]?.incident;
  const lines = [
    line(trigger, '10:00:01'),
    line(resolve, '10:00:01', '10:00:02'),
    foldedLine(7, '10:00:01', '10:00:02'),
  ];
  const told = tellingsTo('slack', [posted(2000, lines)], livesOf(1));
  expect(told).toMatchObject([
    { incident: id, action: 'trigger', episode: 7, instance: 'GPE_1#1' },
    { incident: id, action: 'resolve', episode: 7, instance: 'GPE_1#1' },
    { incident: id, action: 'folded', episode: 7, instance: 'GPE_1#1' },
  ]);
});

it('leaves out what tells of no incident', () => {
  const lines = [
    'Nothing could be delivered here since 2026-03-01 10:00:00 UTC; 1 incident began and ended meanwhile.',
    'STILL FIRING warning: GPE_1#1 of c is Down (abc-7)',
    '… and 3 older',
  ];
  expect(tellingsTo('slack', [posted(1000, lines)], livesOf(1))).toEqual([]);
});

it('takes the labels of Alertmanager and the number of the episode for a name', () => {
  const told = tellingsTo('alertmanager', [alerted(1000, trigger), alerted(2000, resolve)], livesOf(1));
  expect(told.map(({ action, incident }) => [action, incident])).toEqual([
    ['trigger', 'instance="GPE_1#1" 7'],
    ['resolve', 'instance="GPE_1#1" 7'],
  ]);
});

it('knows the life and the receiver of each', () => {
  const letters = [paged(1000, trigger), posted(2000, [line(trigger, '10:00:02')]), paged(12_000, resolve)];
  expect(tellingsTo('pagerduty', letters, livesOf(2)).map(({ life, action }) => [life, action])).toEqual([
    [0, 'trigger'],
    [1, 'resolve'],
  ]);
});
