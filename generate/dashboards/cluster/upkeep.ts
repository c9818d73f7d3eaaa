import type { RowDefinition } from '../definition.ts';
import { facts } from '../series.ts';
import { threshold } from '../thresholds.ts';

const collected = facts('graphdb_informant_collected_timestamp_seconds');
const check = '{{cluster_name}} {{check}} {{partition}} {{engine}}';
const run = '{{cluster_name}} {{check}}';
const off = 'the consistency checks run by calendar, and are off unless asked for';

/** What has to be seen to now and then. */
export const upkeep: RowDefinition = {
  title: 'Upkeep',
  panels: [
    {
      look: 'timeseries',
      title: 'Age of what the informant collected',
      description:
        'Time since the server itself last measured each category on each host; above the line its values are frozen.',
      unit: 's',
      width: 12,
      queries: [{ expr: `time() - ${collected}`, legend: '{{cluster_name}} {{host_id}} {{category}}' }],
      steps: [
        { from: 0, color: 'green' },
        { from: threshold('informant_frozen', 'older_than'), color: 'red' },
      ],
      scale: { min: 0 },
      rules: ['informant_frozen'],
    },
    {
      look: 'timeseries',
      title: 'Licence ends in',
      description: 'Time until the licence ends. Without one the server stops.',
      unit: 's',
      width: 12,
      queries: [
        { expr: `${facts('graphdb_license_expiration_timestamp_seconds')} - time()`, legend: '{{cluster_name}}' },
      ],
      steps: [
        { from: 0, color: 'red' },
        { from: threshold('license_expiring', 'critical_within'), color: 'orange' },
        { from: threshold('license_expiring', 'within'), color: 'green' },
      ],
      rules: ['license_expiring'],
    },
    {
      look: 'state-timeline',
      title: 'Consistency checks',
      description: 'The verdict of the last run of each check.',
      unit: 'none',
      width: 12,
      queries: [{ expr: facts('graphdb_check_passed'), legend: check }],
      states: [
        { value: 0, text: 'failed', color: 'red' },
        { value: 1, text: 'passed', color: 'green' },
      ],
      emptyWhenHealthy: off,
      rules: ['check_failed'],
    },
    {
      look: 'timeseries',
      title: 'Entries out of step',
      description: 'Entries that the last run of each check found to differ between replicas or engines.',
      unit: 'short',
      width: 12,
      queries: [{ expr: facts('graphdb_check_unsynced_entries'), legend: check }],
      emptyWhenHealthy: off,
      scale: { min: 0 },
      rules: ['check_failed'],
    },
    {
      look: 'timeseries',
      title: 'Age of the last run of checks',
      description: 'Time since each check last came to an end; above the line it is overdue.',
      unit: 's',
      width: 12,
      queries: [{ expr: `time() - ${facts('graphdb_check_last_run_timestamp_seconds')}`, legend: run }],
      steps: [
        { from: 0, color: 'green' },
        { from: threshold('check_overdue', 'older_than'), color: 'red' },
      ],
      emptyWhenHealthy: off,
      scale: { min: 0 },
      rules: ['check_overdue'],
    },
    {
      look: 'timeseries',
      title: 'Duration of checks',
      description: 'How long the last run of each check took: it is heavy work for the server.',
      unit: 's',
      width: 12,
      queries: [{ expr: facts('graphdb_check_duration_seconds'), legend: run }],
      emptyWhenHealthy: off,
      scale: { min: 0 },
    },
  ],
};
