import { describe, expect, it } from 'vitest';
import { diskFree, diskInodesUsed, WorstPerFileSystem } from '../../src/collect/host-metrics.ts';
import { sampleLines } from '../support/poll-results.ts';

describe('Extremes', () => {
  it('returns one value per file system, the worst', () => {
    const free = new WorstPerFileSystem(diskFree, Math.min);
    for (const value of [5, 3, 4]) free.add('m1', '/', value);
    free.add('m1', '/data', 9);
    free.add('m2', '/', 8);
    expect(sampleLines(free.samples())).toEqual([
      'graphdb_disk_free_bytes{host_id="m1",mount_point="/"} 3',
      'graphdb_disk_free_bytes{host_id="m1",mount_point="/data"} 9',
      'graphdb_disk_free_bytes{host_id="m2",mount_point="/"} 8',
    ]);
  });

  it('keep the extreme that they were created for', () => {
    const used = new WorstPerFileSystem(diskInodesUsed, Math.max);
    for (const value of [5, 7, 6]) used.add('m1', '/', value);
    expect(sampleLines(used.samples())).toEqual(['graphdb_disk_inodes_used{host_id="m1",mount_point="/"} 7']);
  });

  it('skips values below 0', () => {
    const free = new WorstPerFileSystem(diskFree, Math.min);
    for (const value of [-1, 3, -2]) free.add('m1', '/', value);
    free.add('m1', '/data', -1);
    expect(sampleLines(free.samples())).toEqual(['graphdb_disk_free_bytes{host_id="m1",mount_point="/"} 3']);
  });

  it('uses hosts and mount points as plain text', () => {
    const free = new WorstPerFileSystem(diskFree, Math.min);
    free.add('__proto__', 'constructor', 1);
    expect(sampleLines(free.samples())).toEqual([
      'graphdb_disk_free_bytes{host_id="__proto__",mount_point="constructor"} 1',
    ]);
  });

  it('has no samples without values', () => {
    expect([...new WorstPerFileSystem(diskFree, Math.min).samples()]).toEqual([]);
  });
});
