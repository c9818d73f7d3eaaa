import type { ClusterRule } from '../rule.ts';
import { labelPart } from './twin-templates.ts';

const family = 'graphdb_check_passed';

/** The replicas of the data are no longer the same, or deleted vertices are still there. */
export const checkFailed: ClusterRule = {
  name: 'check_failed',
  about: 'The last run of a consistency check found inconsistent data.',
  scope: 'cluster',
  severity: 'critical',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['check', 'graph', 'partition', 'engine'],
  needs: ['consistency'],
  families: [family],
  summary: '{{check}} failed in {{cluster_name}}{{where}}',
  description:
    'The last run of {{check}} found inconsistent data{{where}}. Do not restore or rebuild before you know which replica is correct: see GET /api/v1/checks.',
  resolved: '{{check}} found no problem in its last run{{where}}.',
  twin: `${family} == 0`,
  twinTexts: {
    facts: {
      where: `${labelPart('graph', ', graph ')}${labelPart('partition', ', partition ')}${labelPart('engine', ', ')}`,
    },
  },
  *evaluate(situation) {
    for (const { labels, value } of situation.samples(family)) {
      if (value !== 0) continue;
      const { check = '', graph = '', partition = '', engine = '' } = labels;
      const parts = [graph && `graph ${graph}`, partition && `partition ${partition}`, engine && `engine ${engine}`];
      const named = parts.filter((part) => part !== '').join(', ');
      yield { labels: { check, graph, partition, engine }, facts: { where: named === '' ? '' : ` (${named})` } };
    }
  },
};
