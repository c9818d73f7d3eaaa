import { describe, expect, it } from 'vitest';
import { SpanStatistics } from '../../../src/runtime/telemetry/export-statistics.ts';
import { recordingLogger } from '../../support/logger.ts';

const none = { queue_full: 0, unreachable: 0, timeout: 0, refused: 0, headers: 0, stopped: 0 };

function tallyOf(capacity: number) {
  const log = recordingLogger();
  return { tally: new SpanStatistics(capacity, log), lines: log.lines };
}

describe('ExportStatistics', () => {
  it('limits the queue, and counts dropped spans', () => {
    const { tally } = tallyOf(2);
    expect([tally.admit(), tally.admit(), tally.admit()]).toEqual([true, true, false]);
    tally.sent(1);
    expect([tally.admit(), tally.admit()]).toEqual([true, false]);
    expect(tally.counts()).toEqual({ exported: 0, dropped: { ...none, queue_full: 2 } });
  });

  it('logs the failure of the endpoint once and its recovery once', () => {
    const { tally, lines } = tallyOf(10);
    for (let count = 0; count < 6; count += 1) tally.admit();
    tally.sent(6);
    tally.failed(1, undefined);
    tally.failed(2, Object.assign(new Error('x'), { code: 503 }));
    tally.recordExported(1);
    tally.recordExported(1);
    tally.failed(1, new Error('Request timed out'));
    expect(tally.counts()).toEqual({ exported: 2, dropped: { ...none, unreachable: 1, refused: 2, timeout: 1 } });
    expect(lines.map(({ level, message, fields }) => [level, message, fields.reason])).toEqual([
      ['warn', 'telemetry export failed', 'unreachable'],
      ['info', 'telemetry export recovered', undefined],
      ['warn', 'telemetry export failed', 'timeout'],
    ]);
  });

  it('counts unexported spans as dropped at the end and ignores later results', () => {
    const { tally, lines } = tallyOf(10);
    for (let count = 0; count < 5; count += 1) tally.admit();
    tally.sent(3);
    tally.recordExported(1);
    tally.end();
    tally.recordExported(1);
    tally.failed(1, undefined);
    expect(tally.counts()).toEqual({ exported: 1, dropped: { ...none, stopped: 4 } });
    expect(lines).toEqual([]);
  });
});
