import { describe, expect, it } from 'vitest';
import { evidenceOf, evidenceTable } from '../../src/cli/abort-evidence.ts';
import type { RecordingEvent } from '../../src/guard/recording/format.ts';
import { at, idAt } from '../guard/observations.ts';
import { listedAt } from '../guard/recording/recordings.ts';

const id = idAt(0, 1);
const empty = { event: 'listed', node: 'n1', started: at(0), at: at(0) } as const;
const gate = { event: 'gate_value', node: 'n1', at: at(0), source: 'node_memory', interval: 60_000 } as const;

describe('the evidence of an abort', () => {
  it.each<[string, RecordingEvent]>([
    ['2 queries, this one for 1m 5s', listedAt(65_000, [{ serial: 1 }, { serial: 2 }])],
    ['1 query, not this one', listedAt(65_000, [{ serial: 2 }])],
    ['0 queries, not this one', listedAt(65_000)],
    ['1 query, this one malformed', { ...empty, list: { entries: [{ skipped: true, id }] } }],
    ['process list rejected: error', { ...empty, list: { rejected: 'error' } }],
    ['no process list', { event: 'unlisted', node: 'n1', at: at(0) }],
    ['node_memory 0.93', { ...gate, value: 0.93 }],
    ['node_memory unknown', gate],
  ])('is «%s»', (observation, event) => {
    expect(evidenceOf(event, id)).toEqual([{ at: event.at.wall, node: 'n1', observation }]);
  });

  it('omits the names of graphs', () => {
    expect(evidenceOf({ event: 'graphs', at: at(0), names: ['fraud'] }, id)).toEqual([]);
  });

  it('is a table without control characters', () => {
    expect(evidenceTable([{ at: at(0).wall, node: 'n\u001b1', observation: 'no process list' }])).toMatch(
      /^RECORDED AT +NODE +OBSERVATION\n2026-09-21 \d\d:13:20Z +n 1 +no process list\n$/,
    );
  });
});
