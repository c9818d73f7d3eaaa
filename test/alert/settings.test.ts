import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { maintenanceSection, matchField, routesSection, templatesSection } from '../../src/alert/settings.ts';

function complaints(section: z.ZodType, given: unknown): readonly string[] {
  const read = section.safeParse(given);
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('a match', () => {
  it.each([
    [{}, {}],
    [{ severity: 'critical' }, { severity: ['critical'] }],
    [
      { severity: ['critical', 'warning'], node: 'm1' },
      { severity: ['critical', 'warning'], node: ['m1'] },
    ],
    [{ team: '' }, { team: [''] }],
  ])('%j is %j', (given, match) => {
    expect(matchField.parse(given)).toEqual(match);
  });

  it.each([
    [{ severity: 'critcal' }, 'severity: is no severity: write critical, warning, info'],
    [{ severity: ['critical', 'page'] }, 'severity: is no severity: write critical, warning, info'],
    [{ 'cluster-name': 'prod' }, 'cluster-name: is no name of a label'],
    [{ '': 'prod' }, ': is no name of a label'],
  ])('refuses %j', (given, complaint) => {
    expect(complaints(matchField, given)).toEqual([complaint]);
  });

  it.each([[{ node: [] }], [{ node: 7 }], [{ node: null }], [{ node: { is: 'm1' } }], [['node']], ['node']])(
    'refuses %j, which is of another shape',
    (given) => {
      expect(complaints(matchField, given)).toHaveLength(1);
    },
  );
});

describe('the routes', () => {
  it('are none when absent', () => {
    expect(routesSection.parse(undefined)).toEqual([]);
  });

  it('without a match take all, and have defaults for the rest', () => {
    expect(routesSection.parse([{ receivers: ['chat'] }])).toEqual([
      {
        match: {},
        receivers: ['chat'],
        groupBy: ['alertname', 'cluster_name'],
        groupWait: 30_000,
        repeat: 4 * 3_600_000,
        goesOn: false,
      },
    ]);
  });

  it('take what is given', () => {
    const given = {
      match: { severity: 'warning' },
      receivers: ['oncall', 'chat'],
      group_by: [],
      group_wait: '1m',
      repeat: '0s',
      fallback: 'mail',
      continue: true,
    };
    expect(routesSection.parse([given])).toEqual([
      {
        match: { severity: ['warning'] },
        receivers: ['oncall', 'chat'],
        groupBy: [],
        groupWait: 60_000,
        repeat: 0,
        fallback: 'mail',
        goesOn: true,
      },
    ]);
  });

  it.each([
    [{ severity: 'critical' }, 0],
    [{ severity: ['critical'], cluster_name: 'prod' }, 0],
    [{ severity: ['critical', 'warning'] }, 30_000],
    [{ cluster_name: 'prod' }, 30_000],
  ])('let alerts that match %j wait %i ms', (match, wait) => {
    expect(routesSection.parse([{ match, receivers: ['chat'] }])[0]?.groupWait).toBe(wait);
  });

  it('let pages wait where that is wanted', () => {
    const given = { match: { severity: 'critical' }, receivers: ['chat'], group_wait: '5s' };
    expect(routesSection.parse([given])[0]?.groupWait).toBe(5000);
  });

  it.each([
    [{}, '0.receivers'],
    [{ receivers: [] }, '0.receivers'],
    [{ receivers: [''] }, '0.receivers.0'],
    [{ receivers: ['a'], group_by: ['no-label'] }, '0.group_by.0'],
    [{ receivers: ['a'], group_wait: 'soon' }, '0.group_wait'],
    [{ receivers: ['a'], repeat: 4 }, '0.repeat'],
    [{ receivers: ['a'], fallback: '' }, '0.fallback'],
    [{ receivers: ['a'], match: { severity: 'page' } }, '0.match.severity'],
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
    match: { cluster_name: 'prod' },
    days: ['sun'],
    from: '02:00',
    to: '04:30',
    tz: 'Europe/Berlin',
  };

  it('is none when absent', () => {
    expect(maintenanceSection.parse(undefined)).toEqual([]);
  });

  it('takes what is given', () => {
    expect(maintenanceSection.parse([sunday])).toEqual([
      {
        name: 'sunday',
        match: { cluster_name: ['prod'] },
        days: [0],
        from: 120,
        to: 270,
        zone: 'Europe/Berlin',
      },
    ]);
  });

  it('holds everything back every day by UTC where it says no more than when', () => {
    expect(maintenanceSection.parse([{ name: 'night', from: '23:00', to: '24:00' }])).toEqual([
      { name: 'night', match: {}, days: [0, 1, 2, 3, 4, 5, 6], from: 1380, to: 1440, zone: 'UTC' },
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
  ])('%j are %j', (given, templates) => {
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
