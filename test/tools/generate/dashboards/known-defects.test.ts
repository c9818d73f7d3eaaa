import { describe, expect, it } from 'vitest';
import { labelsOf } from '../../../../tools/generate/dashboards/promql.ts';
import { committed, type PanelModel, panelsOf } from './model.ts';
import { legendLabels, selectorsOf } from './selectors.ts';

const panels = committed.flatMap(([, dashboard]) => panelsOf(dashboard));
const targets = panels.flatMap(({ title, type, targets: queries }) =>
  queries.map((target) => ({ title, type, ...target })),
);

function panelOf(title: string): PanelModel {
  return panels.find((panel) => panel.title === title) ?? expect.fail(`there is no panel ${title}`);
}

function about(family: string) {
  return targets.filter(({ expr }) => selectorsOf(expr).some(({ name }) => name === family));
}

describe('known defects of dashboards for this server', () => {
  it('space used by directories is not compared with free space of a file system', () => {
    for (const { expr } of about('graphdb_disk_used_bytes')) expect(expr).not.toContain('graphdb_disk_free_bytes');
    expect(about('graphdb_disk_free_bytes').some(({ expr }) => expr.includes('predict_linear'))).toBe(true);
  });

  it('one replica or partition does not hide another', () => {
    const [timeline, ...more] = panelOf('Status of every service instance').targets;
    expect(more).toEqual([]);
    expect(timeline?.expr).toContain('max by (cluster_name, service_name, partition, replica)');
    expect(legendLabels(timeline?.legendFormat ?? '')).toEqual(['cluster_name', 'service_instance']);
  });

  it('shares range from 0 to 1 and have the unit percentunit', () => {
    const shares = targets.filter(({ expr }) => /_ratio\{/.test(expr) || expr.includes('memory_available_bytes'));
    expect(shares.length).toBeGreaterThan(3);
    for (const { title } of shares) expect(panelOf(title).fieldConfig?.defaults.unit).toBe('percentunit');
  });

  /** Counts the clusters of each replica. */
  const ownersPanel = 'Clusters by replica';

  it('clusters are merged only on panels about the whole fleet', () => {
    const curves = targets.filter(({ type }) => type === 'timeseries' || type === 'state-timeline');
    const merged = curves.filter(({ expr, legendFormat }) => {
      const isAboutClusters = selectorsOf(expr).some(({ name }) => labelsOf(name).includes('cluster_name'));
      return isAboutClusters && !legendLabels(legendFormat).includes('cluster_name');
    });
    expect(merged.map(({ title }) => title)).toEqual([ownersPanel]);
  });

  it('a fact that two pods export is not counted twice', () => {
    const bare = /\b(?:sum|avg|count)(?: by \([^)]*\))? ?\((?:(?:rate|increase)\()?(\w+)\{/g;
    const counted = targets.flatMap(({ expr }) => [...expr.matchAll(bare)].map(([, name = '']) => name));
    // Each replica exports who owns a cluster: only the owner counts, once.
    expect(counted.filter((name) => !name.endsWith('_bucket'))).toEqual(['graphwarden_cluster_owner']);
  });

  it('missing data is visible as the age of the data', () => {
    expect(about('graphwarden_collector_last_success_timestamp_seconds')).not.toEqual([]);
    expect(about('graphdb_informant_collected_timestamp_seconds')).not.toEqual([]);
  });
});
