import type { RowDefinition, Step } from '../definition.ts';
import { facts, labelsOf, series } from '../series.ts';
import { threshold } from '../thresholds.ts';

const family = 'graphdb_disk_free_bytes';
const mount = '{{cluster_name}} {{host_id}} {{mount_point}}';
const within = threshold('disk_filling', 'full_within');
const before43 = 'servers before 4.3 do not tell of inodes';
const history = '6h';
const free = facts(family);
const forecast = `max by (${labelsOf(family).join(', ')}) (predict_linear(${series(family)}[${history}], ${within}))`;
const slope = `max by (${labelsOf(family).join(', ')}) (deriv(${series(family)}[${history}]))`;
const steps: readonly Step[] = [
  { from: 0, color: 'red' },
  { from: threshold('disk_filling', 'critical_bytes'), color: 'orange' },
  { from: threshold('disk_filling', 'below_bytes'), color: 'green' },
];

/**
 * Disks. What directories use is never divided by what their file system has free: they are measured of different
 * things. What is free, and when nothing will be, is told per file system.
 */
export const disks: RowDefinition = {
  title: 'Disks',
  panels: [
    {
      look: 'timeseries',
      title: 'Free space of file systems',
      description:
        'Space that is free on each file system of each host. The alert warns at the upper line and pages at the lower.',
      unit: 'bytes',
      width: 12,
      queries: [{ expr: free, legend: mount }],
      steps,
      scale: { min: 0 },
      rules: ['disk_filling'],
    },
    {
      look: 'timeseries',
      title: 'Free space in a day',
      description: `What will be free in ${within / 3600} hours at the pace of the last ${history}: below 0 the alert warns.`,
      unit: 'bytes',
      width: 12,
      queries: [{ expr: forecast, legend: mount }],
      rules: ['disk_filling'],
    },
    {
      look: 'timeseries',
      title: 'Full in',
      description: `Time until a file system is full at the pace of the last ${history}; one that does not fill has no curve.`,
      unit: 's',
      width: 12,
      queries: [{ expr: `${free} / on (cluster_name, host_id, mount_point) -(${slope} < 0)`, legend: mount }],
      emptyWhenHealthy: 'no file system fills',
      scale: { min: 0 },
      rules: ['disk_filling'],
    },
    {
      look: 'timeseries',
      title: 'Directories',
      description: 'Space that each directory of the server takes: who grows, where a file system fills.',
      unit: 'bytes',
      width: 12,
      queries: [
        {
          expr: facts('graphdb_disk_used_bytes'),
          legend: '{{cluster_name}} {{host_id}} {{path_name}} ({{path}} on {{mount_point}})',
        },
      ],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Free inodes',
      description: 'Inodes that are free on each file system; servers before 4.3 do not tell.',
      unit: 'short',
      width: 12,
      queries: [{ expr: facts('graphdb_disk_inodes_free'), legend: mount }],
      emptyWhenHealthy: before43,
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Used inodes',
      description: 'Share of the inodes of each file system that are used; servers before 4.3 do not tell.',
      unit: 'percentunit',
      width: 12,
      queries: [
        {
          expr: `${facts('graphdb_disk_inodes_used')} / (${facts('graphdb_disk_inodes_used')} + ${facts('graphdb_disk_inodes_free')})`,
          legend: mount,
        },
      ],
      emptyWhenHealthy: before43,
      scale: { min: 0, max: 1 },
    },
  ],
};
