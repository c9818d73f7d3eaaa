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
    ['half is free and the trend is unknown', 500, undefined, []],
    ['the free space decreases slowly', 500, -500 / 100_000, []],
    ['it will be full within a day', 500, -500 / 80_000, ['warning']],
    ['the free space increases', 500, 5, []],
    ['less than 1 % is free', 9, undefined, ['warning']],
    ['less than 1 % is free and increases', 9, 5, ['warning']],
    ['almost no space is free', 1.9, undefined, ['critical']],
    ['1 % is free', 10, undefined, []],
  ])('has the severities $3 if $0', (_, free, slope, severities) => {
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
      forecast: ', full in 2h at this rate',
    });
    expect(findings(diskFilling, disk(5))[0]?.facts.forecast).toBe('');
  });
});
