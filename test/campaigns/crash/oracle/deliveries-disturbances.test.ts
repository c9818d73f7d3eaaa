import { describe, expect, it } from 'vitest';
import type { Disturbance, LoggedNotification } from '../../../../campaigns/crash/evidence.ts';
import { checkDeliveries } from '../../../../campaigns/crash/oracle/deliveries.ts';
import { evidenceOf, logStart, pagerdutyNotification } from '../evidence-builders.ts';

const trigger = { action: 'trigger', episode: 7 } as const;
const resolve = { action: 'resolve', episode: 7 } as const;

/** Returns the findings in a history with disturbances; times are ms after the start of the logs. */
function kindsWith(disturbances: readonly Disturbance[], ...notifications: readonly LoggedNotification[]) {
  const shifted = disturbances.map((one) => ({ ...one, from: logStart + one.from, until: logStart + one.until }));
  const evidence = evidenceOf({ notifications, disturbances: shifted });
  return checkDeliveries(notifications[0]?.receiver ?? '', evidence).findings.map(({ kind }) => kind);
}

/** Numbers of incidents are the times at which they began. */
const older = { action: 'trigger', episode: logStart + 900 } as const;
const newer = { action: 'trigger', episode: logStart + 12_500 } as const;

describe('a state directory that appears after the start', () => {
  const late: Disturbance = { kind: 'disk', isLate: true, from: 12_000, until: 14_000 };
  const history = (newest = newer): readonly LoggedNotification[] => [
    pagerdutyNotification(1000, older),
    pagerdutyNotification(12_600, newest),
    pagerdutyNotification(14_100, { ...older, action: 'resolve' }),
    pagerdutyNotification(15_000, { ...newest, action: 'resolve' }),
  ];

  it('explains that an incident of the folder ends after the next one began', () => {
    expect(kindsWith([late], ...history())).toEqual([]);
  });

  it.each<[string, readonly Disturbance[], readonly LoggedNotification[]]>([
    ['no folder appeared', [], history()],
    ['the daemon knew the incidents of the folder', [{ ...late, isLate: false }], history()],
    ['the newer incident began after the merge', [late], history({ ...newer, episode: logStart + 14_001 })],
    ['both began while the folder was missing', [{ ...late, from: 800 }], history()],
    ['both began before the folder was missing', [{ ...late, from: 12_550 }], history()],
  ])('does not explain that order if %s', (_, disturbances, notifications) => {
    expect(kindsWith(disturbances, ...notifications)).toEqual(['disordered']);
  });

  it('does not explain an incident without an end, or one that is sent twice', () => {
    const [first, ...rest] = history();
    if (first === undefined) throw new Error('no history');
    expect(kindsWith([late], first, ...rest.slice(0, 1), ...rest.slice(2))).toEqual(['left open']);
    expect(kindsWith([late], first, pagerdutyNotification(2000, older), ...rest)).toEqual(['repeated']);
  });
});

function reload(change: 'remove' | 'add' | 'rename', from: number, receiver = 'pagerduty'): Disturbance {
  return { kind: 'reload', change, receiver, from, until: from + 100 };
}

describe('a receiver that a reload adds again', () => {
  const history = [
    pagerdutyNotification(1000, trigger),
    pagerdutyNotification(2100, resolve),
    pagerdutyNotification(4000, trigger),
    pagerdutyNotification(5000, resolve),
  ];

  it('gets firing alerts again', () => {
    expect(kindsWith([reload('remove', 2000), reload('add', 3000)], ...history)).toEqual([]);
  });

  it.each<[string, readonly Disturbance[]]>([
    ['another receiver is added', [reload('remove', 2000, 'hook'), reload('add', 3000, 'hook')]],
    ['it is renamed', [reload('rename', 2000), reload('rename', 3000)]],
    ['it is added after that', [reload('remove', 2000), reload('add', 4500)]],
    ['it was added before', [reload('remove', 500), reload('add', 600)]],
  ])('gets no alert again if %s', (_, disturbances) => {
    const kinds = kindsWith(disturbances, ...history);
    expect(kinds).toContain('disordered');
    expect(kinds).toContain('repeated');
  });

  it('does not explain an incident without an end', () => {
    const kinds = kindsWith([reload('remove', 2000), reload('add', 3000)], ...history.slice(0, 3));
    expect(kinds).toEqual(['left open']);
  });
});
