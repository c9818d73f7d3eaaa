import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contractLines } from '../../../tools/release/contract.ts';

const released = readFileSync('test/golden/contract.txt', 'utf8').trimEnd().split('\n');

describe('the contract with users', () => {
  it('has lines for families and for the defaults of collectors', () => {
    expect(contractLines()).toEqual(
      expect.arrayContaining([
        'graphdb_endpoint_recent_requests: gauge of a node, labels: graph method path outcome',
        'graphdb_license_expiration_timestamp_seconds: gauge of a cluster, labels: none',
        'graphdb_failed_logins_total: counter of a cluster that outlives failed polls, labels: none',
        'collector health: on, every 5s, timeout 3s',
        'collector consistency: off, at 0 3 * * SUN, timeout 30m',
      ]),
    );
    expect(released.length).toBeGreaterThan(100);
  });

  // For a change on purpose, mark it as breaking in CHANGELOG.md and change the line in test/golden/contract.txt.
  it('has no breaking change since the release', () => {
    const lines = new Set(contractLines());
    expect(released.filter((line) => !lines.has(line))).toEqual([]);
  });
});
