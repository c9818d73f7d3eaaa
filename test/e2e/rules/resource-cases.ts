import type { RuleCase, SeriesSet, SeriesValues } from './rule-case.ts';
import { here } from './service-cases.ts';

const gibibyte = 2 ** 30;
const host = 'cluster_name="prod",host_id="m1"';
const onHost = { cluster_name: 'prod', host_id: 'm1', ...here };
const disk = `graphdb_disk_free_bytes{${host},mount_point="/data"}`;
const collected = `graphdb_informant_collected_timestamp_seconds{${host},category="cpu"}`;
const licence = 'graphdb_license_expiration_timestamp_seconds{cluster_name="prod"}';
const day = 86_400;

function memory(free: number, total: number): SeriesSet {
  return {
    [`graphdb_host_memory_available_bytes{${host}}`]: free * gibibyte,
    [`graphdb_host_memory_total_bytes{${host}}`]: total * gibibyte,
  };
}

/** Free space that shrinks from so many GiB by so many an hour. */
function shrinking(from: number, anHour: number): SeriesValues {
  return (sample) => Math.max(0, from - (anHour * sample) / 240) * gibibyte;
}

const frozen: RuleCase = {
  alert: 'GraphdbInformantFrozen',
  labels: { severity: 'warning', ...onHost, category: 'cpu' },
  healthy: { [collected]: { ago: 60 } },
  bad: { [collected]: { ago: 660 } },
  nearMiss: { [collected]: { ago: 590 } },
  tooShort: 4.5,
  firesWithin: 6,
  resolvesWithin: 3,
};

const nearAbort = { alert: 'GraphdbMemoryNearAbort', firesWithin: 3, resolvesWithin: 6, tooShort: 1.75 };
const throttled = {
  ...nearAbort,
  labels: { severity: 'warning', ...onHost },
  healthy: memory(16, 31),
  nearMiss: memory(9.6, 31),
};

/** Of 31 GiB; hosts of 30 GiB and less are none of the engine's business. */
const memoryStories: readonly RuleCase[] = [
  {
    ...nearAbort,
    labels: { severity: 'critical', ...onHost },
    healthy: memory(16, 31),
    // 14.8 %, and 15.2 %.
    bad: memory(4.6, 31),
    nearMiss: memory(4.7, 31),
    unrelated: [memory(2, 29)],
  },
  // 15.2 % and 29.7 %, and 31 %.
  { ...throttled, bad: memory(4.7, 31), unrelated: [memory(4.6, 31), memory(5, 29)] },
  { ...throttled, bad: memory(9.2, 31) },
];

const onDisk = { ...onHost, mount_point: '/data' };

/** Free space that falls fast fires the forecast first: only a slow fall tests the threshold in bytes. */
const diskStories: readonly RuleCase[] = [
  {
    alert: 'GraphdbDiskFilling',
    labels: { severity: 'warning', ...onDisk },
    healthy: { [disk]: 10.02 * gibibyte },
    bad: { [disk]: 9.98 * gibibyte },
    nearMiss: { [disk]: 10.01 * gibibyte },
    unrelated: [{ [disk]: 1.9 * gibibyte }],
    tooShort: 4.5,
    firesWithin: 7,
    resolvesWithin: 7,
  },
  {
    alert: 'GraphdbDiskFilling',
    labels: { severity: 'warning', ...onDisk },
    healthy: { [disk]: 200 * gibibyte },
    bad: { [disk]: 2.1 * gibibyte },
    nearMiss: { [disk]: 10.1 * gibibyte },
    firesWithin: 7,
    resolvesWithin: 9,
  },
  {
    alert: 'GraphdbDiskFilling',
    labels: { severity: 'warning', ...onDisk },
    healthy: { [disk]: 200 * gibibyte },
    // After 40 minutes of each the line through both falls about half as fast: full in 20 hours, and in 26.
    bad: { [disk]: shrinking(200, 19) },
    nearMiss: { [disk]: shrinking(200, 12.5) },
    before: 40,
    firesWithin: 40,
    resolvesWithin: 60,
  },
  {
    alert: 'GraphdbDiskFilling',
    labels: { severity: 'critical', ...onDisk },
    healthy: { [disk]: 2.1 * gibibyte },
    bad: { [disk]: 1.95 * gibibyte },
    nearMiss: { [disk]: 2.05 * gibibyte },
    // One poll result, which the next one corrects.
    tooShort: 0.25,
    firesWithin: 1,
    resolvesWithin: 7,
  },
];

/** A licence that ends so many days after the first scrape. */
function endsAfter(days: number): SeriesSet {
  return { [licence]: days * day };
}

const licenceStories: readonly RuleCase[] = [
  {
    alert: 'GraphdbLicenseExpiring',
    labels: { severity: 'warning', cluster_name: 'prod', ...here },
    healthy: endsAfter(400),
    bad: endsAfter(29),
    nearMiss: endsAfter(31),
    unrelated: [endsAfter(2)],
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbLicenseExpiring',
    labels: { severity: 'warning', cluster_name: 'prod', ...here },
    healthy: endsAfter(400),
    bad: endsAfter(3.1),
    nearMiss: endsAfter(31),
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbLicenseExpiring',
    labels: { severity: 'critical', cluster_name: 'prod', ...here },
    healthy: endsAfter(400),
    bad: endsAfter(2.9),
    nearMiss: endsAfter(4),
    firesWithin: 1,
    resolvesWithin: 2,
  },
];

/** What can be wrong with hosts and with the licence. */
export const resourceCases: readonly RuleCase[] = [frozen, ...memoryStories, ...diskStories, ...licenceStories];
