import { describe, expect, it } from 'vitest';
import { overallText, pausedText } from '../../page/src/overall-text.ts';

const clusters = [
  { name: 'alpha', state: 'critical' },
  { name: 'beta', state: 'warning' },
  { name: 'gamma', state: 'healthy' },
] as const;

const critical = (cluster: string) => ({ cluster, severity: 'critical' as const });

describe('headline', () => {
  it('names the clusters of the critical alerts, not those with warnings', () => {
    const firing = [critical('alpha'), { cluster: 'beta', severity: 'warning' as const }];
    expect(overallText('critical', { firing, clusters })).toBe('✕ 1 critical alert on alpha');
  });

  it('counts alerts about graphwarden itself apart from those of clusters', () => {
    const firing = [critical('alpha'), critical(''), critical('')];
    expect(overallText('critical', { firing, clusters })).toBe('✕ 3 critical alerts: 1 on alpha, 2 about graphwarden');
    expect(overallText('critical', { firing: [critical('')], clusters })).toBe('✕ 1 critical alert about graphwarden');
  });

  it('has the number of clusters instead of more than two names', () => {
    const firing = ['alpha', 'beta', 'gamma'].map(critical);
    expect(overallText('critical', { firing, clusters })).toBe('✕ 3 critical alerts on 3 of 3 clusters');
  });

  it.each([
    ['healthy', '✓ 3 clusters healthy, no alert fires'],
    ['not all online', '! Not everything is online on alpha and beta; no alert fires'],
  ] as const)('of the state %s without alerts is «%s»', (state, text) => {
    expect(overallText(state, { firing: [], clusters })).toBe(text);
  });
});

describe('pause of the guard', () => {
  const pauseOf = (...pausedNames: readonly string[]) => ({
    paused: pausedNames.length === clusters.length,
    clusters: clusters.map(({ name }) => ({ cluster: name, paused: pausedNames.includes(name), reasons: [] })),
  });

  it.each([
    [[], undefined],
    [['beta'], 'The guard is paused on beta: it aborts no query there'],
    [['alpha', 'beta', 'gamma'], 'The guard is paused: it aborts no query'],
  ])('on %j is «%s»', (names, text) => {
    expect(pausedText(pauseOf(...names))).toBe(text);
  });
});
