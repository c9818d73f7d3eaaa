import { describe, expect, it } from 'vitest';
import { labelsOf } from '../../../generate/dashboards/series.ts';
import { committed, type PanelModel, panelsOf } from './model.ts';
import { legendLabels, selectorsOf } from './promql.ts';

const panels = committed.flatMap(([, dashboard]) => panelsOf(dashboard));
const targets = panels.flatMap(({ title, type, targets: asked }) =>
  asked.map((target) => ({ title, type, ...target })),
);

function panelOf(title: string): PanelModel {
  return panels.find((panel) => panel.title === title) ?? expect.fail(`there is no panel ${title}`);
}

function about(family: string) {
  return targets.filter(({ expr }) => selectorsOf(expr).some(({ name }) => name === family));
}

describe('what dashboards of this server are known to do wrong', () => {
  it('is not done: what directories use is never set beside what a file system has free', () => {
    for (const { expr } of about('graphdb_disk_used_bytes')) expect(expr).not.toContain('graphdb_disk_free_bytes');
    expect(about('graphdb_disk_free_bytes').some(({ expr }) => expr.includes('predict_linear'))).toBe(true);
  });

  it('is not done: no replica hides another one, and no partition another', () => {
    const [timeline, ...more] = panelOf('Status of every service instance').targets;
    expect(more).toEqual([]);
    expect(timeline?.expr).toContain('max by (cluster_name, service_name, partition, replica)');
    expect(legendLabels(timeline?.legendFormat ?? '')).toEqual([
      'cluster_name',
      'service_name',
      'partition',
      'replica',
    ]);
  });

  it('is not done: shares are shares from 0 to 1, in the unit for these', () => {
    const shares = targets.filter(({ expr }) => /_ratio\{/.test(expr) || expr.includes('memory_available_bytes'));
    expect(shares.length).toBeGreaterThan(3);
    for (const { title } of shares) expect(panelOf(title).fieldConfig?.defaults.unit).toBe('percentunit');
  });

  it('is not done: two clusters are one only where the whole fleet is meant', () => {
    const curves = targets.filter(({ type }) => type === 'timeseries' || type === 'state-timeline');
    const merged = curves.filter(({ expr, legendFormat }) => {
      const isAboutClusters = selectorsOf(expr).some(({ name }) => labelsOf(name).includes('cluster_name'));
      return isAboutClusters && !legendLabels(legendFormat).includes('cluster_name');
    });
    expect(merged).toEqual([]);
  });

  it('is not done: a fact that two pods tell is not counted twice', () => {
    const bare = /\b(?:sum|avg|count)(?: by \([^)]*\))? ?\((?:(?:rate|increase)\()?(\w+)\{/g;
    const counted = targets.flatMap(({ expr }) => [...expr.matchAll(bare)].map(([, name = '']) => name));
    expect(counted.filter((name) => !name.endsWith('_bucket'))).toEqual([]);
  });

  it('is not done: that nothing is known shows, by the age of what is', () => {
    expect(about('graphwarden_collector_last_success_timestamp_seconds')).not.toEqual([]);
    expect(about('graphdb_informant_collected_timestamp_seconds')).not.toEqual([]);
  });
});
