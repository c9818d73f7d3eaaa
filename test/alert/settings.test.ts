import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { maintenanceSection, matchersField, routesSection, templatesSection } from '../../src/alert/settings.ts';
import { matchersOf } from '../support/matchers-of.ts';

function complaints(section: z.ZodType, given: unknown): readonly string[] {
  const read = section.safeParse(given);
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('matchers', () => {
  it.each([[[]], [['severity="critical"']], [['severity=~"critical|warning"', 'node="m1"']], [['team=""']]])(
    '%j are parsed',
    (given) => {
      expect(matchersField.parse(given)).toEqual(matchersOf(...given));
    },
  );

  it.each([
    [['node="m1"', 'severity="critcal"'], '1: is not a severity; use critical, warning, info'],
    [['cluster-name="prod"'], '0: is not a matcher; write it as severity="critical", with =, !=, =~ or !~'],
    [[7], '0: is not a string; write it in quotes, as \'severity="critical"\''],
    ['node="m1"', ': must be a list of matchers'],
    [{ node: 'm1' }, ': must be a list of matchers'],
    [undefined, ': is missing'],
  ])('refuses %j', (given, complaint) => {
    expect(complaints(matchersField, given)).toEqual([complaint]);
  });
});

describe('the routes', () => {
  it('are empty if absent', () => {
    expect(routesSection.parse(undefined)).toEqual([]);
  });

  it('without matchers match all alerts, and have defaults', () => {
    expect(routesSection.parse([{ receivers: ['chat'] }])).toEqual([
      {
        matchers: [],
        receivers: ['chat'],
        groupBy: ['alertname', 'cluster_name'],
        groupWait: 30_000,
        groupInterval: 300_000,
        repeatInterval: 4 * 3_600_000,
        continues: false,
      },
    ]);
  });

  it('have the configured values', () => {
    const given = {
      matchers: ['severity="warning"'],
      receivers: ['oncall', 'chat'],
      group_by: [],
      group_wait: '1m',
      group_interval: '10m',
      repeat_interval: '0s',
      fallback: 'mail',
      continue: true,
    };
    expect(routesSection.parse([given])).toEqual([
      {
        matchers: matchersOf('severity="warning"'),
        receivers: ['oncall', 'chat'],
        groupBy: [],
        groupWait: 60_000,
        groupInterval: 600_000,
        repeatInterval: 0,
        fallback: 'mail',
        continues: true,
      },
    ]);
  });

  it.each([
    [['severity="critical"'], 0],
    [['severity="critical"', 'cluster_name="prod"'], 0],
    [['severity=~"critical|warning"'], 30_000],
    [['severity!="critical"'], 30_000],
    [['cluster_name="prod"'], 30_000],
  ])('delay alerts that match %j by %i ms', (matchers, wait) => {
    expect(routesSection.parse([{ matchers, receivers: ['chat'] }])[0]?.groupWait).toBe(wait);
  });

  it('delay pages if a group wait is configured', () => {
    const given = { matchers: ['severity="critical"'], receivers: ['chat'], group_wait: '5s' };
    expect(routesSection.parse([given])[0]?.groupWait).toBe(5000);
  });

  it.each([
    [{}, '0.receivers'],
    [{ receivers: ['a'], group_interval: '0s' }, '0.group_interval'],
    [{ receivers: [''] }, '0.receivers.0'],
    [{ receivers: ['a'], group_by: ['no-label'] }, '0.group_by.0'],
    [{ receivers: ['a'], group_wait: 'soon' }, '0.group_wait'],
    [{ receivers: ['a'], repeat_interval: 4 }, '0.repeat_interval'],
    [{ receivers: ['a'], fallback: '' }, '0.fallback'],
    [{ receivers: ['a'], matchers: ['severity="page"'] }, '0.matchers.0'],
    [{ receivers: ['a'], continues: true }, '0'],
  ])('refuse %j', (given, path) => {
    const found = complaints(routesSection, [given]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${path}: `));
  });
});

describe('maintenance', () => {
  const sunday = {
    name: 'sunday',
    matchers: ['cluster_name="prod"'],
    days: ['sun'],
    from: '02:00',
    to: '04:30',
    tz: 'Europe/Berlin',
  };

  it('is empty if absent', () => {
    expect(maintenanceSection.parse(undefined)).toEqual([]);
  });

  it('has the configured values', () => {
    expect(maintenanceSection.parse([sunday])).toEqual([
      {
        name: 'sunday',
        matchers: matchersOf('cluster_name="prod"'),
        days: [0],
        from: 120,
        to: 270,
        zone: 'Europe/Berlin',
      },
    ]);
  });

  it('matches all alerts every day in UTC if only its times are configured', () => {
    expect(maintenanceSection.parse([{ name: 'night', from: '23:00', to: '24:00' }])).toEqual([
      { name: 'night', matchers: [], days: [0, 1, 2, 3, 4, 5, 6], from: 1380, to: 1440, zone: 'UTC' },
    ]);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ days: [] }, 'days'],
    [{ days: ['sunday'] }, 'days.0'],
    [{ from: '2:00' }, 'from'],
    [{ from: '24:00' }, 'from'],
    [{ from: 'hunter2' }, 'from'],
    [{ to: '24:01' }, 'to'],
    [{ to: '04:60' }, 'to'],
    [{ to: undefined }, 'to'],
    [{ tz: 'Europe/Atlantis' }, 'tz'],
    [{ tz: '' }, 'tz'],
    [{ zone: 'UTC' }, ''],
  ])('refuses %j', (more, path) => {
    const found = complaints(maintenanceSection, [{ ...sunday, ...more }]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^0${path === '' ? '' : `\\.${path}`}: `));
    expect(found[0]).not.toContain('hunter2');
  });
});

describe('templates', () => {
  it.each([
    [undefined, {}],
    [{}, {}],
    [{ summary: '[{{severity}}] {{summary}}' }, { summary: '[{{severity}}] {{summary}}' }],
    [
      { summary: 'plain', description: '{{ node }} { } {{what_only_some_know}}' },
      { summary: 'plain', description: '{{ node }} { } {{what_only_some_know}}' },
    ],
  ])('%j are parsed', (given, templates) => {
    expect(templatesSection.parse(given)).toEqual(templates);
  });

  it.each([
    [{ summary: '{{node' }, 'summary'],
    [{ summary: 'node}}' }, 'summary'],
    [{ description: '{{a}} {{b' }, 'description'],
    [{ summary: '' }, 'summary'],
    [{ title: 'x' }, ''],
  ])('%j are refused', (given, path) => {
    const found = complaints(templatesSection, given);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${path}: `));
  });
});
