import { describe, expect, it } from 'vitest';
import type { LoggedNotification } from '../../../../campaigns/crash/evidence.ts';
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
const refused = { isAccepted: false, status: 429 } as const;
const failed = { isAccepted: false, status: 500 } as const;
const dropped = { answer: 'lost' } as const;

function evaluated(...notifications: readonly LoggedNotification[]) {
  return checkDeliveries(notifications[0]?.receiver ?? '', evidenceOf({ notifications }));
}

function kindsOf(...notifications: readonly LoggedNotification[]): readonly string[] {
  return evaluated(...notifications).findings.map(({ kind }) => kind);
}

describe('accepted deliveries', () => {
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
        alertmanagerNotification(1000, trigger, { isAccepted: false, answer: 'lost' }),
        alertmanagerNotification(2000, later),
        alertmanagerNotification(3000, { ...later, action: 'resolve' }),
      ],
    ],
    ['a digest', [slackNotification(1000, [digestLine(7, '10:00:00', '10:00:02')])]],
  ])('%s', (_, notifications) => {
    expect(kindsOf(...notifications)).toEqual([]);
  });
});

describe('rejected deliveries', () => {
  it.each<[string, string, readonly LoggedNotification[]]>([
    ['lost', 'a notification that may have arrived is not repeated', [pagerdutyNotification(1000, trigger, failed)]],
    [
      'lost',
      'a notification in flight at a kill is not repeated',
      [pagerdutyNotification(8990, trigger, { isAccepted: false, answer: 'lost', endedAt: logStart + 9001 })],
    ],
    [
      'lost',
      'a notification without an answer is not repeated',
      [pagerdutyNotification(1000, trigger, { isAccepted: false, answer: 'pending' })],
    ],
    ['left open', 'a trigger without a resolve', [pagerdutyNotification(1000, trigger)]],
    [
      'left open',
      'a resolve that the receiver did not accept',
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
      'an alert that fires at Alertmanager after its last resolve',
      [
        alertmanagerNotification(1000, trigger),
        alertmanagerNotification(2000, resolve),
        alertmanagerNotification(3000, later),
      ],
    ],
    [
      'lost',
      'a trigger that Alertmanager may have got, without any later one of the alert',
      [alertmanagerNotification(1000, trigger, { isAccepted: false, answer: 'lost' })],
    ],
    ['left open', 'a Slack message without a resolve', [slackNotification(1000, [line(trigger, '10:00:00')])]],
    [
      'repeated',
      'a trigger twice in one run',
      [
        pagerdutyNotification(1000, trigger),
        pagerdutyNotification(2000, trigger),
        pagerdutyNotification(3000, resolve),
      ],
    ],
    [
      'repeated',
      'a trigger again in the next run, although it was answered long before the kill',
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
  ])('are a finding of the kind %s: %s', (kind, _, notifications) => {
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

it('delivery oracle › accepts a repeated resolve after a rejected trigger of a newer incident', () => {
  const notifications = [
    alertmanagerNotification(1000, trigger),
    alertmanagerNotification(2000, resolve),
    alertmanagerNotification(3000, later, refused),
    alertmanagerNotification(4000, resolve),
  ];
  expect(kindsOf(...notifications)).toEqual([]);
});

describe('a second time', () => {
  it('is a duplicate if it was in flight at the kill', () => {
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

it('delivery oracle › counts deliveries, with the runs in which they happened', () => {
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
