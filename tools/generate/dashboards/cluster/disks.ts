import { collapsedRow, greenAbove, query, timeseries } from '../panels.ts';
import { deduplicated, labelsOf, selector } from '../promql.ts';
import { threshold } from '../thresholds.ts';

const family = 'graphdb_disk_free_bytes';
const mount = '{{cluster_name}} {{host_id}} {{mount_point}}';
const within = threshold('disk_filling', 'full_within');
const before43 = 'servers before 4.3 do not report inodes';
const history = '6h';
const free = deduplicated(family);
const inodesFree = deduplicated('graphdb_disk_inodes_free');
const inodesUsed = deduplicated('graphdb_disk_inodes_used');
const forecast = `max by (${labelsOf(family).join(', ')}) (predict_linear(${selector(family)}[${history}], ${within}))`;
const slope = `max by (${labelsOf(family).join(', ')}) (deriv(${selector(family)}[${history}]))`;

/**
 * Disks. The space that directories use and the free space of a file system are measured on different things and are
 * never divided. Free space and the time until it runs out are shown per file system.
 */
export const disks = collapsedRow('Disks', 12, [
  timeseries(
    'Free space of file systems',
    'Free space of each file system of each host. The alert has severity warning below the upper line and critical below the lower line.',
    query(free, mount),
    {
      unit: 'bytes',
      steps: greenAbove(threshold('disk_filling', 'critical_bytes'), threshold('disk_filling', 'below_bytes')),
      lowIsBad: true,
      rules: ['disk_filling'],
    },
  ),
  timeseries(
    'Free space in a day',
    `Free space in ${within / 3600} hours if usage grows as in the last ${history}. Below 0 the alert fires.`,
    query(forecast, mount),
    { unit: 'bytes', scale: {}, lowIsBad: true, rules: ['disk_filling'] },
  ),
  timeseries(
    'Time until full',
    `Time until a file system is full if usage grows as in the last ${history}. A file system that does not fill up has no curve.`,
    query(`${free} / on (cluster_name, host_id, mount_point) -(${slope} < 0)`, mount),
    { unit: 's', emptyWhenHealthy: 'no file system is filling up', lowIsBad: true, rules: ['disk_filling'] },
  ),
  timeseries(
    'Directories',
    'Space that each directory of the server uses. If a file system fills up, this shows which directory grows.',
    query(
      deduplicated('graphdb_disk_used_bytes'),
      '{{cluster_name}} {{host_id}} {{path_name}} ({{path}} on {{mount_point}})',
    ),
    { unit: 'bytes' },
  ),
]);

/** Inodes, in a separate row because older servers do not report them. */
export const inodes = collapsedRow('Inodes (servers from 4.3 on)', 12, [
  timeseries(
    'Free inodes',
    'Free inodes of each file system. Servers before 4.3 do not report them.',
    query(inodesFree, mount),
    { emptyWhenHealthy: before43, lowIsBad: true },
  ),
  timeseries(
    'Used inodes',
    'Used share of the inodes of each file system. Servers before 4.3 do not report them.',
    query(`${inodesUsed} / (${inodesUsed} + ${inodesFree})`, mount),
    { unit: 'percentunit', emptyWhenHealthy: before43, scale: { min: 0, max: 1 } },
  ),
]);
