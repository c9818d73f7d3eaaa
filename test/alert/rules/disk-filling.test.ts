import { describe, expect, it } from 'vitest';
import { diskFilling } from '../../../src/alert/rules/disk-filling.ts';
import { findings, situationWith } from './rule-fixtures.ts';

const gib = 2 ** 30;

function disk(free: number, slope?: number) {
  const families = { graphdb_disk_free_bytes: [[{ host_id: 'm1', mount_point: '/data' }, free * gib] as const] };
  return situationWith(families, { slope: () => (slope === undefined ? undefined : slope * gib) });
}

describe('disk_filling', () => {
  it.each([
    ['much is free and it is not known how it changes', 500, undefined, []],
    ['it changes slowly', 500, -500 / 100_000, []],
    ['it will be full within a day', 500, -500 / 80_000, ['warning']],
    ['room is made', 500, 5, []],
    ['little is free', 9, undefined, ['warning']],
    ['little is free while room is made', 9, 5, ['warning']],
    ['as much as nothing is free', 1.9, undefined, ['critical']],
    ['just enough is free', 10, undefined, []],
  ])('where %s', (_, free, slope, severities) => {
    const given = findings(diskFilling, disk(free, slope));
    expect(given.map(({ severity }) => severity ?? diskFilling.severity)).toEqual(severities);
  });

  it('pages for a nearly full disk after half a minute, independent of the pending period of the warning', () => {
    expect(findings(diskFilling, disk(1.9)).map((finding) => finding.for)).toEqual([30_000]);
    expect(findings(diskFilling, disk(9)).map((finding) => finding.for)).toEqual([undefined]);
    expect(diskFilling.severityTwins?.map((twin) => twin.for)).toEqual([30_000]);
  });

  it('states when the disk will be full', () => {
    expect(findings(diskFilling, disk(36, -36 / 7200))[0]?.facts).toEqual({
      free: '36.0 GiB',
      forecast: ', full in 2h at this pace',
    });
    expect(findings(diskFilling, disk(5))[0]?.facts.forecast).toBe('');
  });
});
