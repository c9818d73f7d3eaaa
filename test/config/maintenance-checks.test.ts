import { describe, expect, it } from 'vitest';
import { rules } from '../../src/alert/rules/all.ts';
import { loadConfig } from '../../src/config/load.ts';
import { endlessMaintenance, longMaintenance } from '../../src/config/maintenance-checks.ts';

/** Returns the warnings about windows: the position of the window, and the message. */
function found(...windows: readonly Readonly<Record<string, unknown>>[]) {
  return warnings(endlessMaintenance, windows);
}

function warnings(check: typeof endlessMaintenance, windows: readonly Readonly<Record<string, unknown>>[]) {
  const clusters = ['prod', 'test'].map((name, at) => ({ name, nodes: [{ name: 'm1', url: `http://10.0.0.${at}` }] }));
  const maintenance = windows.map((window, at) => ({ name: `w${at}`, ...window }));
  const loaded = loadConfig(JSON.stringify({ clusters, alerts: { maintenance } }), 'a.yml', {});
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return check(loaded.value, rules).map(({ path, message }) => [path[2], message]);
}

const night = { from: '20:00', to: '08:00' };
const day = { from: '08:00', to: '20:00' };
const together = (others: string, muted: string) => `covers all hours of the week together with ${others}, so ${muted}`;
const matching = 'matching alerts never cause notifications';
const some = 'some matching alerts never cause notifications';

function about(window: object, ...matchers: readonly string[]) {
  return { ...window, matchers };
}

describe('maintenance windows that together cover the week', () => {
  it('without matchers mute all alerts', () => {
    expect(found(night, day)).toEqual([[1, together('maintenance[0]', 'no alert ever causes a notification')]]);
  });

  it('mute the alerts that match all of them', () => {
    const gpe = 'service_name="GPE"';
    expect(found(about(night, gpe), about(day, gpe))).toEqual([[1, together('maintenance[0]', matching)]]);
    expect(found(night, about(day, gpe, 'cluster_name="prod"'))).toEqual([[1, together('maintenance[0]', matching)]]);
    expect(found(about(night, 'severity=~"critical|info"'), about(day, 'severity!="info"'))).toEqual([
      [0, together('maintenance[1]', some)],
    ]);
  });

  it('are named without those that cover nothing more', () => {
    const noon = { from: '12:00', to: '14:00' };
    expect(found(noon, night, noon, day).map(([, message]) => message)).toEqual([
      together('maintenance[1]', 'no alert ever causes a notification'),
    ]);
  });

  it('do so in the time of one zone, or of several', () => {
    expect(found({ ...night, tz: 'Europe/Berlin' }, { ...day, tz: 'Europe/Berlin' })).toHaveLength(1);
    expect(found({ ...night, tz: 'Europe/Berlin' }, { ...day, tz: 'UTC' })).toEqual([]);
    expect(found({ ...night, tz: 'Europe/Berlin' }, { from: '07:00', to: '19:00', tz: 'UTC' })).toHaveLength(1);
  });

  it('by their days', () => {
    const weekdays = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '00:00', to: '24:00' };
    expect(found(weekdays, { days: ['sat', 'sun'], from: '00:00', to: '24:00' })).toHaveLength(1);
    expect(found(weekdays, { days: ['sat', 'sun'], from: '00:00', to: '23:59' })).toEqual([]);
  });
});

describe('maintenance windows that leave alerts time', () => {
  it.each([
    ['one hour a day', [night, { from: '08:00', to: '19:00' }]],
    ['different values of a label', [about(night, 'cluster_name="prod"'), about(day, 'cluster_name="test"')]],
    ['labels that are known when an alert fires', [about(night, 'service_name="GPE"'), about(day, 'graph="g"')]],
  ])('%s', (_, windows) => {
    expect(found(...windows)).toEqual([]);
  });

  it('are not combined with one that never closes', () => {
    expect(found(day, { from: '00:00', to: '24:00' }, night).map(([at]) => at)).toEqual([1, 2]);
  });
});

describe('a maintenance window that mutes critical alerts for most of the week', () => {
  const long = (...windows: readonly object[]) =>
    warnings(
      longMaintenance,
      windows.map((window) => ({ ...window })),
    );
  const swapped = { from: '04:00', to: '02:00' };

  it('is reported with its hours', () => {
    expect(long({ from: '02:00', to: '04:00' }, swapped)).toEqual([
      [1, 'mutes critical alerts for 154 of the 168 hours of a week'],
    ]);
    expect(long(about({ from: '00:00', to: '23:59' }, 'cluster_name="prod"'))).toHaveLength(1);
  });

  it.each([
    ['20 hours a day', { from: '06:00', to: '02:00' }],
    ['some days', { ...swapped, days: ['sat', 'sun', 'mon', 'tue', 'wed', 'thu'] }],
    ['other severities', about(swapped, 'severity!="critical"')],
    ['a window that never closes, which is another warning', { from: '04:00', to: '04:00' }],
  ])('is not %s', (_, window) => {
    expect(long(window)).toEqual([]);
  });
});
