import { describe, expect, it } from 'vitest';
import { rules } from '../../src/alert/rules/all.ts';
import { loadConfig } from '../../src/config/load.ts';
import { meets, possibleAlerts } from '../../src/config/possible-alerts.ts';
import { matchersOf } from '../support/matchers-of.ts';

function alertsWith(...names: readonly string[]) {
  const clusters = [{ name: 'alpha', labels: { env: 'live' }, nodes: [{ name: 'm1', url: 'http://10.0.0.1' }] }];
  const loaded = loadConfig(JSON.stringify({ clusters }), 'a.yml', {});
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return possibleAlerts(loaded.value, rules, new Set(names));
}

describe('possible alerts', () => {
  it('have the labels of their cluster, or none about graphwarden itself', () => {
    expect(alertsWith('env').map(({ labels }) => labels)).toEqual(expect.arrayContaining([{ env: 'live' }, {}]));
    expect(alertsWith('cluster_name')).toHaveLength(2);
  });

  it('have every severity that a rule can have', () => {
    const own = alertsWith('alertname', 'severity').filter(({ labels }) => labels.alertname === 'GraphdbDiskFilling');
    expect(own.map(({ labels: { severity = '' } }) => severity).toSorted()).toEqual(['critical', 'warning']);
  });
});

describe('a matcher', () => {
  const alert = { labels: { severity: 'critical' }, open: ['node'] };

  it.each([
    ['severity="critical"', true],
    ['severity!="critical"', false],
    ['graph=""', true],
    ['node="m1"', undefined],
    ['node=~".*"', true],
  ])('%s on a possible alert: %s', (text, expected) => {
    const [matcher] = matchersOf(text);
    expect(matcher && meets(matcher, alert)).toBe(expected);
  });
});
