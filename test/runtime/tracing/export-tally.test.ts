import { describe, expect, it } from 'vitest';
import { ExportTally } from '../../../src/runtime/tracing/export-tally.ts';
import { recordingLogger } from '../../support/logger.ts';

const none = { queue_full: 0, unreachable: 0, timeout: 0, refused: 0, headers: 0, stopped: 0 };

function tallyOf(capacity: number) {
  const log = recordingLogger();
  return { tally: new ExportTally(capacity, log), lines: log.lines };
}

describe('ExportTally', () => {
  it('has room for so many that wait, and counts those that come beyond', () => {
    const { tally } = tallyOf(2);
    expect([tally.admit(), tally.admit(), tally.admit()]).toEqual([true, true, false]);
    tally.sent(1);
    expect([tally.admit(), tally.admit()]).toEqual([true, false]);
    expect(tally.figures()).toEqual({ exported: 0, dropped: { ...none, queue_full: 2 } });
  });

  it('says once that the endpoint fails, and once that it is well again', () => {
    const { tally, lines } = tallyOf(10);
    for (let count = 0; count < 6; count += 1) tally.admit();
    tally.sent(6);
    tally.failed(1, undefined);
    tally.failed(2, Object.assign(new Error('x'), { code: 503 }));
    tally.arrived(1);
    tally.arrived(1);
    tally.failed(1, new Error('Request timed out'));
    expect(tally.figures()).toEqual({ exported: 2, dropped: { ...none, unreachable: 1, refused: 2, timeout: 1 } });
    expect(lines.map(({ level, message, fields }) => [level, message, fields.reason])).toEqual([
      ['warn', 'spans do not arrive at their endpoint', 'unreachable'],
      ['info', 'spans arrive at their endpoint again', undefined],
      ['warn', 'spans do not arrive at their endpoint', 'timeout'],
    ]);
  });

  it('takes for dropped in the end what has not arrived, and hears of it no more', () => {
    const { tally, lines } = tallyOf(10);
    for (let count = 0; count < 5; count += 1) tally.admit();
    tally.sent(3);
    tally.arrived(1);
    tally.end();
    tally.arrived(1);
    tally.failed(1, undefined);
    expect(tally.figures()).toEqual({ exported: 1, dropped: { ...none, stopped: 4 } });
    expect(lines).toEqual([]);
  });
});
