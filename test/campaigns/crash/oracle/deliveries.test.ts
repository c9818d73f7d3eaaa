import { describe, expect, it } from 'vitest';
import type { Disturbance, LoggedNotification } from '../../../../campaigns/crash/evidence.ts';
import { checkDeliveries } from '../../../../campaigns/crash/oracle/deliveries.ts';
import {
  alertmanagerNotification,
  digestLine,
  evidenceOf,
  line,
  logStart,
  pagerdutyNotification,
  slackNotification,
} from '../evidence-builders.ts';

const trigger = { action: 'trigger', episode: 7 } as const;
const resolve = { action: 'resolve', episode: 7 } as const;
const later = { action: 'trigger', episode: 8 } as const;
const refused = { taken: false, status: 429 } as const;
const failed = { taken: false, status: 500 } as const;
const dropped = { answer: 'lost' } as const;

function evaluated(...notifications: readonly LoggedNotification[]) {
  return checkDeliveries(notifications[0]?.receiver ?? '', evidenceOf({ notifications }));
}

function kindsOf(...notifications: readonly LoggedNotification[]): readonly string[] {
  return evaluated(...notifications).findings.map(({ kind }) => kind);
}

/** Returns the findings in a history with disturbances; times are ms after the start of the logs. */
function kindsWith(disturbances: readonly Disturbance[], ...notifications: readonly LoggedNotification[]) {
  const shifted = disturbances.map((one) => ({ ...one, from: logStart + one.from, until: logStart + one.until }));
  const evidence = evidenceOf({ notifications, disturbances: shifted });
  return checkDeliveries(notifications[0]?.receiver ?? '', evidence).findings.map(({ kind }) => kind);
}

describe('what is in order', () => {
  it.each<[string, readonly LoggedNotification[]]>([
    ['a trigger and its resolve', [pagerdutyNotification(1000, trigger), pagerdutyNotification(2000, resolve)]],
    ['a trigger that was rejected, without any other notification', [pagerdutyNotification(1000, trigger, refused)]],
    [
      'a trigger that failed, was repeated, and its resolve',
      [
        pagerdutyNotification(1000, trigger, failed),
        pagerdutyNotification(2000, trigger),
        pagerdutyNotification(3000, resolve),
      ],
    ],
    [
      'one incident after the other',
      [
        pagerdutyNotification(1000, trigger),
        pagerdutyNotification(2000, resolve),
        pagerdutyNotification(3000, later),
        pagerdutyNotification(4000, { ...later, action: 'resolve' }),
      ],
    ],
    [
      'repeated notifications to Alertmanager',
      [
        alertmanagerNotification(1000, trigger),
        alertmanagerNotification(2000, trigger),
        alertmanagerNotification(3000, resolve),
        alertmanagerNotification(4000, resolve),
      ],
    ],
    [
      'an end of an earlier incident that Alertmanager does not get, because all incidents of an alert are one there',
      [
        alertmanagerNotification(1000, trigger),
        alertmanagerNotification(2000, later),
        alertmanagerNotification(3000, { ...later, action: 'resolve' }),
      ],
    ],
    [
      'a trigger that Alertmanager may have got, and a later one of the same alert',
      [
        alertmanagerNotification(1000, trigger, { taken: false, answer: 'lost' }),
        alertmanagerNotification(2000, later),
        alertmanagerNotification(3000, { ...later, action: 'resolve' }),
      ],
    ],
    ['a digest', [slackNotification(1000, [digestLine(7, '10:00:00', '10:00:02')])]],
  ])('%s', (_, notifications) => {
    expect(kindsOf(...notifications)).toEqual([]);
  });
});

describe('what must not be', () => {
  it.each<[string, string, readonly LoggedNotification[]]>([
    ['lost', 'what may have arrived was never repeated', [pagerdutyNotification(1000, trigger, failed)]],
    [
      'lost',
      'what was under way at a kill was never repeated',
      [pagerdutyNotification(8990, trigger, { taken: false, answer: 'lost', endedAt: logStart + 9001 })],
    ],
    [
      'lost',
      'what has no answer yet was never repeated',
      [pagerdutyNotification(1000, trigger, { taken: false, answer: 'pending' })],
    ],
    ['left open', 'a trigger without a resolve', [pagerdutyNotification(1000, trigger)]],
    [
      'left open',
      'a resolve that was not taken',
      [pagerdutyNotification(1000, trigger), pagerdutyNotification(2000, resolve, failed)],
    ],
    [
      'left open',
      'a trigger again after the resolve',
      [
        pagerdutyNotification(1000, trigger),
        pagerdutyNotification(2000, resolve),
        pagerdutyNotification(3000, trigger),
      ],
    ],
    [
      'left open',
      'an alert that Alertmanager has as firing since its last end',
      [
        alertmanagerNotification(1000, trigger),
        alertmanagerNotification(2000, resolve),
        alertmanagerNotification(3000, later),
      ],
    ],
    [
      'lost',
      'a trigger that Alertmanager may have got, without any later one of the alert',
      [alertmanagerNotification(1000, trigger, { taken: false, answer: 'lost' })],
    ],
    ['left open', 'a line without a resolve', [slackNotification(1000, [line(trigger, '10:00:00')])]],
    [
      'repeated',
      'a trigger twice in one life',
      [
        pagerdutyNotification(1000, trigger),
        pagerdutyNotification(2000, trigger),
        pagerdutyNotification(3000, resolve),
      ],
    ],
    [
      'repeated',
      'a trigger again in the next life, though it was answered long before the kill',
      [
        pagerdutyNotification(1000, trigger),
        pagerdutyNotification(12_000, trigger),
        pagerdutyNotification(13_000, resolve),
      ],
    ],
    [
      'repeated',
      'a resolve twice',
      [
        pagerdutyNotification(1000, trigger),
        pagerdutyNotification(2000, resolve),
        pagerdutyNotification(3000, resolve),
      ],
    ],
    [
      'repeated',
      'a digest twice',
      [
        slackNotification(1000, [digestLine(7, '10:00:00', '10:00:02')]),
        slackNotification(2000, [digestLine(7, '10:00:00', '10:00:02')]),
      ],
    ],
    [
      'disordered',
      'a resolve before its trigger was accepted',
      [
        pagerdutyNotification(1000, trigger, failed),
        pagerdutyNotification(2000, resolve),
        pagerdutyNotification(3000, trigger),
        pagerdutyNotification(4000, resolve, refused),
      ],
    ],
    ['disordered', 'a resolve without a trigger', [pagerdutyNotification(1000, resolve)]],
    [
      'disordered',
      'an older incident after a newer one',
      [
        alertmanagerNotification(1000, trigger),
        alertmanagerNotification(2000, later),
        alertmanagerNotification(3000, resolve),
        alertmanagerNotification(4000, { ...later, action: 'resolve' }),
      ],
    ],
  ])('%s: %s', (kind, _, notifications) => {
    expect(kindsOf(...notifications)).toContain(kind);
  });

  it('includes a trigger after its own resolve, which would reopen the incident', () => {
    const { findings } = evaluated(
      pagerdutyNotification(1000, trigger),
      pagerdutyNotification(2000, resolve),
      pagerdutyNotification(3000, trigger),
      pagerdutyNotification(4000, resolve),
    );
    expect(findings.map(({ about }) => about)).toContain(
      `pagerduty: trigger of ${pagerdutyNotification(0, trigger).notifications[0]?.key} (run 1) arrived after its own resolve`,
    );
  });
});

it('accepts a repeated resolve after a rejected trigger of a newer incident', () => {
  const notifications = [
    alertmanagerNotification(1000, trigger),
    alertmanagerNotification(2000, resolve),
    alertmanagerNotification(3000, later, refused),
    alertmanagerNotification(4000, resolve),
  ];
  expect(kindsOf(...notifications)).toEqual([]);
});

describe('a second time', () => {
  it('is a duplicate if it was under way at the kill', () => {
    const result = evaluated(
      pagerdutyNotification(8990, trigger),
      pagerdutyNotification(12_000, trigger),
      pagerdutyNotification(13_000, resolve),
    );
    expect(result).toMatchObject({ findings: [], duplicates: 1, unanswered: 0, inFlight: 1 });
  });

  it('is accepted if the receiver lost its response', () => {
    const result = evaluated(
      pagerdutyNotification(1000, trigger, dropped),
      pagerdutyNotification(3000, trigger),
      pagerdutyNotification(4000, resolve),
    );
    expect(result).toMatchObject({ findings: [], duplicates: 0, unanswered: 1, inFlight: 0 });
  });

  it('is accepted only once per kill', () => {
    const all = [
      pagerdutyNotification(8990, trigger),
      pagerdutyNotification(12_000, trigger),
      pagerdutyNotification(14_000, trigger),
      pagerdutyNotification(15_000, resolve),
    ];
    expect(evaluated(...all)).toMatchObject({ duplicates: 1, findings: [{ kind: 'repeated' }] });
  });

  it('is accepted only for the last notification of a run: the previous one is stored before the last is sent', () => {
    const all = [
      pagerdutyNotification(8900, trigger),
      pagerdutyNotification(8990, { ...trigger, instance: 'GPE_1#2' }),
      pagerdutyNotification(12_000, trigger),
    ];
    expect(evaluated(...all, pagerdutyNotification(13_000, resolve)).findings).toContainEqual(
      expect.objectContaining({ kind: 'repeated' }),
    );
  });
});

it('counts deliveries, with the runs in which they happened', () => {
  const result = evaluated(
    slackNotification(1000, [line(trigger, '10:00:00'), line({ ...trigger, instance: 'GPE_1#2' }, '10:00:00')]),
    slackNotification(21_000, [
      line(resolve, '10:00:00', '10:00:20'),
      line({ ...resolve, instance: 'GPE_1#2' }, '10:00:00', '10:00:20'),
    ]),
    slackNotification(22_000, [digestLine(9, '10:00:20', '10:00:21')], failed),
  );
  expect(result).toMatchObject({ findings: [], delivered: 4, digestLines: 0, runsWithDelivery: new Set([0, 2]) });
});

/** Numbers of incidents are the times at which they began. */
const older = { action: 'trigger', episode: logStart + 900 } as const;
const newer = { action: 'trigger', episode: logStart + 12_500 } as const;

describe('a state folder that comes late', () => {
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
    ['there was none', [], history()],
    ['the daemon knew the incidents of the folder', [{ ...late, isLate: false }], history()],
    ['the newer incident began after the merge', [late], history({ ...newer, episode: logStart + 14_001 })],
    ['both began while it was away', [{ ...late, from: 800 }], history()],
    ['both began before', [{ ...late, from: 12_550 }], history()],
  ])('is no reason for that if %s', (_, disturbances, notifications) => {
    expect(kindsWith(disturbances, ...notifications)).toEqual(['disordered']);
  });

  it('is no reason for an incident without an end, or for one that is sent twice', () => {
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

  it('gets what still fires again', () => {
    expect(kindsWith([reload('remove', 2000), reload('add', 3000)], ...history)).toEqual([]);
  });

  it.each<[string, readonly Disturbance[]]>([
    ['another receiver is added', [reload('remove', 2000, 'hook'), reload('add', 3000, 'hook')]],
    ['it is renamed', [reload('rename', 2000), reload('rename', 3000)]],
    ['it is added after that', [reload('remove', 2000), reload('add', 4500)]],
    ['it was added before', [reload('remove', 500), reload('add', 600)]],
  ])('gets nothing again if %s', (_, disturbances) => {
    const kinds = kindsWith(disturbances, ...history);
    expect(kinds).toContain('disordered');
    expect(kinds).toContain('repeated');
  });

  it('is no reason for an incident without an end', () => {
    const kinds = kindsWith([reload('remove', 2000), reload('add', 3000)], ...history.slice(0, 3));
    expect(kinds).toEqual(['left open']);
  });
});
