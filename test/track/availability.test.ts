import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transition } from '../../src/model/transition.ts';
import { availabilityOf, partitionSpans, type StatusSpan, spansOf } from '../../src/track/availability.ts';

const window = { from: 1000, to: 2000 };

/** A timeline in short: `1200 Online > Down`. */
function timeline(...lines: readonly string[]): readonly Transition[] {
  return lines.map((line) => {
    const [, at = '', from = '', to = ''] = /^(\d+) (\w*) ?> ?(\w*)$/.exec(line) ?? expect.fail(line);
    const id = { cluster: 'prod', service: 'GPE', partition: '1', replica: '1' };
    return { ...id, at: Number(at), from, to, process: '', eventId: '', eventNs: '', source: 'm1' };
  });
}

/** Spans in short: `1000-1200 Online`. */
function short(those: readonly StatusSpan[]): readonly string[] {
  return those.map(({ from, to, status }) => `${from}-${to} ${status}`);
}

function spans(...lines: readonly string[]): readonly StatusSpan[] {
  return spansOf(timeline(...lines), window);
}

describe('the spans of a replica', () => {
  it('begin with the old status of the first transition', () => {
    expect(short(spans('1200 Online > Down', '1500 Down > Online'))).toEqual([
      '1000-1200 Online',
      '1200-1500 Down',
      '1500-2000 Online',
    ]);
  });

  it('are one span without a transition, from the start of the status', () => {
    expect(short(spansOf([], window, { status: 'Online', since: 10 }))).toEqual(['1000-2000 Online']);
    expect(short(spansOf([], window, { status: 'Online', since: 1700 }))).toEqual(['1700-2000 Online']);
    expect(spansOf([], window)).toEqual([]);
  });

  it('are within the time range and not empty', () => {
    expect(short(spans('1000 Online > Down', '2000 Down > Online', '2500 Online > Down'))).toEqual(['1000-2000 Down']);
  });

  it('include the time without the replica', () => {
    expect(short(spans('1400  > Online', '1800 Online > '))).toEqual(['1000-1400 ', '1400-1800 Online', '1800-2000 ']);
  });
});

describe('the availability of a replica', () => {
  it('is the share of the observed time', () => {
    const found = availabilityOf(spans('1200 Online > Down', '1500 Down > unobserved', '1600 unobserved > Online'));
    expect(found).toMatchObject({ observed: 900, online: 600, outages: 1 });
  });

  it('is 1 without an outage', () => {
    const whole = spansOf([], window, { status: 'Online', since: 0 });
    expect(availabilityOf(whole)).toEqual({ observed: 1000, online: 1000, outages: 0, timeToRecover: undefined });
    expect(availabilityOf([])).toEqual({ observed: 0, online: 0, outages: 0, timeToRecover: undefined });
  });

  it('recovers when it is online again, after any status in between', () => {
    const found = availabilityOf(
      spans('1100 Online > Down', '1200 Down > Starting', '1300 Starting > Warmup', '1400 Warmup > Online'),
    );
    expect(found).toMatchObject({ outages: 1, timeToRecover: 300, online: 700 });
  });

  it('has the mean duration of outages that began and ended in the period', () => {
    const found = availabilityOf(
      spans(
        '1100 Online > Down',
        '1200 Down > Online',
        '1300 Online > Down',
        '1600 Down > Online',
        '1900 Online > Down',
      ),
    );
    expect(found).toMatchObject({ outages: 3, timeToRecover: 200 });
  });

  it('counts an outage at its start, without a duration', () => {
    expect(availabilityOf(spans('1300 Down > Online'))).toMatchObject({ outages: 1, timeToRecover: undefined });
  });

  it('is no outage while a new replica starts', () => {
    const found = availabilityOf(spans('1100  > Starting', '1300 Starting > Online'));
    expect(found).toMatchObject({ observed: 900, online: 700, outages: 0, timeToRecover: undefined });
  });

  it('counts a first status that is already down as an outage', () => {
    const found = availabilityOf(spans('1100  > Down', '1300 Down > Online'));
    expect(found).toMatchObject({ observed: 900, online: 700, outages: 1, timeToRecover: 200 });
  });

  it('counts no outage in an unobserved span', () => {
    const found = availabilityOf(spans('1100 Online > unobserved', '1900 unobserved > Online'));
    expect(found).toMatchObject({ observed: 200, online: 200, outages: 0 });
  });

  it('dates an outage from its first observation', () => {
    const lines = ['1100 Online > unobserved', '1500 unobserved > Down', '1600 Down > Online'];
    expect(availabilityOf(spans(...lines))).toMatchObject({ outages: 1, timeToRecover: 100 });
  });

  it('continues an outage over a gap in the observation', () => {
    const lines = ['1100 Online > Down', '1200 Down > unobserved', '1500 unobserved > Down', '1600 Down > Online'];
    expect(availabilityOf(spans(...lines))).toMatchObject({ outages: 1, timeToRecover: 500, observed: 700 });
  });

  it('does not count an absent replica as online', () => {
    expect(availabilityOf(spans('1500 Online > absent'))).toMatchObject({ observed: 1000, online: 500, outages: 1 });
  });
});

describe('the spans of a partition', () => {
  const up = spansOf([], window, { status: 'Online', since: 0 });

  it('are online while one replica is online', () => {
    const other = spans('1200 Online > Down', '1400 Down > Online');
    expect(new Set(partitionSpans([up, other]).map(({ status }) => status))).toEqual(new Set(['Online']));
  });

  it('are unavailable while no replica is online', () => {
    const one = spans('1200 Online > Down', '1500 Down > Online');
    const other = spans('1400 Online > Down', '1700 Down > Online');
    const found = partitionSpans([one, other]);
    expect(short(found).filter((span) => span.endsWith('unavailable'))).toEqual(['1400-1500 unavailable']);
    expect(availabilityOf(found)).toEqual({ observed: 1000, online: 900, outages: 1, timeToRecover: 100 });
  });

  it('are unobserved if an unobserved replica may have been online', () => {
    const down = spans('1200 Online > Down');
    const hidden = spans('1300 Online > unobserved');
    expect(short(partitionSpans([down, hidden])).at(-1)).toBe('1300-2000 unobserved');
  });

  it('consist of the replicas that existed at each time', () => {
    const newcomer = spans('1600  > Online');
    expect(short(partitionSpans([newcomer]))).toEqual(['1000-1600 ', '1600-2000 Online']);
    const down = spans('1200 Online > Down');
    expect(availabilityOf(partitionSpans([down, newcomer]))).toMatchObject({
      online: 600,
      outages: 1,
      timeToRecover: 400,
    });
  });

  it('are empty without replicas', () => {
    expect(partitionSpans([])).toEqual([]);
    expect(partitionSpans([[]])).toEqual([]);
  });

  it('are those of the only replica', () => {
    const one = spans('1200 Online > Down', '1500 Down > Online');
    expect(availabilityOf(partitionSpans([one]))).toEqual(availabilityOf(one));
  });
});

describe('any history', () => {
  const status = fc.constantFrom('Online', 'Down', 'Warmup', 'unobserved');
  const turns = fc.array(fc.record({ after: fc.integer({ min: 1, max: 300 }), status }), { maxLength: 12 });

  /** A replica whose timeline hangs together. */
  function lived(those: readonly { readonly after: number; readonly status: string }[]): readonly StatusSpan[] {
    let at = window.from;
    let from = 'Online';
    const lines = those.map(({ after, status: to }) => {
      at += after;
      const line = `${at} ${from} > ${to}`;
      from = to;
      return line;
    });
    return spansOf(timeline(...lines), window, { status: from, since: 0 });
  }

  it('the spans of a replica fill the time range, and it was not online for longer than observed', () => {
    fc.assert(
      fc.property(turns, (those) => {
        const found = lived(those);
        expect(found.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(1000);
        const { observed, online, outages, timeToRecover } = availabilityOf(found);
        expect(online).toBeLessThanOrEqual(observed);
        if (outages === 0) expect(timeToRecover).toBeUndefined();
      }),
    );
  });

  it('a partition was online whenever one of its replicas was', () => {
    fc.assert(
      fc.property(fc.array(turns, { minLength: 1, maxLength: 3 }), (all) => {
        const replicas = all.map(lived);
        const whole = partitionSpans(replicas);
        for (let instant = window.from; instant < window.to; instant += 7) {
          const at = (those: readonly StatusSpan[]) =>
            those.find(({ from, to }) => from <= instant && instant < to)?.status;
          const statuses = replicas.map(at);
          expect(at(whole) === 'Online').toBe(statuses.includes('Online'));
          expect(at(whole) === 'unavailable').toBe(!statuses.some((one) => one === 'Online' || one === 'unobserved'));
        }
      }),
    );
  });
});
