import { describe, expect, it } from 'vitest';
import { rules } from '../../src/alert/rules/all.ts';
import { inhibitionFindings } from '../../src/config/inhibition-checks.ts';
import { loadConfig } from '../../src/config/load.ts';

interface InhibitRule {
  readonly source_matchers: readonly string[];
  readonly target_matchers: readonly string[];
  readonly equal?: readonly string[];
}

function found(...inhibitRules: readonly InhibitRule[]): readonly (readonly [unknown, string])[] {
  return foundIn(['prod', 'test'], inhibitRules);
}

function foundIn(names: readonly string[], inhibitRules: readonly InhibitRule[]): ReturnType<typeof found> {
  const clusters = names.map((name, at) => ({ name, nodes: [{ name: 'm1', url: `http://10.0.0.${at}` }] }));
  const loaded = loadConfig(JSON.stringify({ clusters, alerts: { inhibit_rules: inhibitRules } }), 'a.yml', {});
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return inhibitionFindings(loaded.value, rules).map(({ path, message }) => [path[2], message]);
}

function inhibits(source: string, target: string, equal: readonly string[] = ['cluster_name']): InhibitRule {
  return { source_matchers: source.split(' '), target_matchers: target.split(' '), equal };
}

const down = 'alertname="GraphdbClusterDown"';
const license = 'alertname="GraphdbLicenseExpiring"';
const token = 'alertname="GraphdbTokenExpiring"';
const end = 'receivers are notified of only one of these alerts while all of them fire';

describe('inhibition rules that form a circle', () => {
  it('are two rules that inhibit the sources of each other', () => {
    const [[at, message] = []] = found(inhibits(down, license), inhibits(license, down));
    expect(at).toBe(0);
    expect(message).toMatch(
      /^forms a circle with inhibit_rules\[1\]: Graphdb\w+ \(\w+\) inhibits Graphdb\w+ \(\w+\) inhibits /,
    );
    expect(message).toContain(end);
  });

  it('are three rules', () => {
    const three = [inhibits(down, license), inhibits(license, token), inhibits(token, down)];
    expect(found(...three).map(([at, message]) => [at, message?.split(':')[0]])).toEqual([
      [0, 'forms a circle with inhibit_rules[1] and inhibit_rules[2]'],
    ]);
    expect(found(...three.slice(1))).toEqual([]);
  });

  it('are found in the last of many clusters', () => {
    const names = Array.from({ length: 200 }, (_, at) => `c${at}`);
    const last = 'cluster_name="c199"';
    expect(foundIn(names, [inhibits(`${down} ${last}`, license), inhibits(license, down)])).toHaveLength(1);
    const apart = [inhibits(`${down} ${last}`, license), inhibits(`${license} cluster_name!="c199"`, down)];
    expect(foundIn(names, apart)).toEqual([]);
    expect(
      foundIn(
        names,
        apart.map((one) => ({ ...one, equal: [] })),
      ),
    ).toHaveLength(1);
  });

  it('overlap in some alerts only', () => {
    expect(
      found(inhibits(down, 'severity=~"critical|warning"'), inhibits(license, 'alertname!="GraphdbTokenExpiring"')),
    ).toHaveLength(1);
  });
});

describe('inhibition rules without a circle', () => {
  it.each([
    [
      'by severity',
      [inhibits('severity="critical"', 'severity=~"warning|info"'), inhibits('severity="warning"', 'severity="info"')],
    ],
    ['of one rule whose alerts match both sides', [inhibits('severity=~".+"', 'severity=~".+"')]],
    [
      'of different clusters',
      [inhibits(`${down} cluster_name="prod"`, license), inhibits(`${license} cluster_name="test"`, down)],
    ],
    [
      'with a label that one of them does not have',
      [
        inhibits(down, 'alertname="GraphdbNodeUnreachable"', ['node']),
        inhibits('alertname="GraphdbNodeUnreachable"', down),
      ],
    ],
    [
      'of different alerts with the same severities',
      [
        inhibits('severity="critical"', 'severity="warning"', ['alertname', 'cluster_name']),
        inhibits(`${license} severity="warning"`, `${token} severity="info"`),
      ],
    ],
  ])('%s', (_, inhibitRules) => {
    expect(found(...inhibitRules)).toEqual([]);
  });
});

describe('an inhibition rule', () => {
  it('should not mute critical alerts while less severe ones fire', () => {
    expect(found(inhibits('severity="warning"', 'severity="critical"'))).toEqual([
      [0, 'mutes critical alerts while less severe alerts fire'],
    ]);
    expect(found(inhibits('severity!="critical"', 'severity!="info"', []))).toEqual([
      [0, 'mutes critical alerts while less severe alerts fire'],
    ]);
  });

  it.each([
    ['a label that all alerts have', inhibits('graph=""', 'severity="critical"')],
    ['a node', inhibits('node!="m1"', 'severity="critical"', [])],
    ['a cluster', inhibits('cluster_name="prod"', 'cluster_name="test"', [])],
  ])('should not do so by %s', (_, rule) => {
    expect(found(rule)).toEqual([[0, 'mutes critical alerts while less severe alerts fire']]);
  });

  it('may mute critical alerts while other critical alerts fire', () => {
    expect(found(inhibits('severity="critical" cluster_name="prod"', 'cluster_name="test"', []))).toEqual([]);
  });

  it('may mute the critical alerts of another rule', () => {
    expect(found(inhibits(license, token), inhibits(`${license} severity="warning"`, token))).toEqual([]);
  });
});
