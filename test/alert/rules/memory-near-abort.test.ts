import { describe, expect, it } from 'vitest';
import { memoryNearAbort } from '../../../src/alert/rules/memory-near-abort.ts';
import { findings, situationWith } from './rule-fixtures.ts';

const gib = 2 ** 30;

function host(total: number, available: number) {
  const labels = { host_id: 'm1' };
  return situationWith({
    graphdb_host_memory_total_bytes: [[labels, total * gib]],
    graphdb_host_memory_available_bytes: [[labels, available * gib]],
  });
}

describe('memory_near_abort', () => {
  it.each([
    [100, 31, []],
    [100, 30, []],
    [100, 29, ['warning']],
    [100, 15, ['warning']],
    [100, 14, ['critical']],
    [100, 0, ['critical']],
    [30, 1, []],
    [31, 1, ['critical']],
  ])('with %d GiB and %d of them free', (total, available, severities) => {
    const given = findings(memoryNearAbort, host(total, available));
    expect(given.map(({ severity }) => severity ?? memoryNearAbort.severity)).toEqual(severities);
  });

  it('states the free memory', () => {
    expect(findings(memoryNearAbort, host(100, 7.25))[0]?.facts).toEqual({
      free: '7.2 %',
      free_bytes: '7.3 GiB',
      total_bytes: '100.0 GiB',
    });
  });

  it('ignores a host without a memory limit or a total', () => {
    const free = { graphdb_host_memory_available_bytes: [[{ host_id: 'm1' }, 0] as const] };
    expect(findings(memoryNearAbort, situationWith(free))).toEqual([]);
    expect(findings(memoryNearAbort, host(0, 0))).toEqual([]);
  });
});
