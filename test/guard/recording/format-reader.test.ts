import { describe, expect, it } from 'vitest';
import { RecordingReader } from '../../../src/guard/recording/format.ts';
import { at } from '../observations.ts';
import { headerOf, listedAt } from './recordings.ts';

/** What a reader says to the last of some lines. */
function last(lines: readonly (object | string)[], isWhole = true) {
  const reader = new RecordingReader();
  const items = lines.map((line, index) =>
    reader.read({
      text: typeof line === 'string' ? line : JSON.stringify(line),
      isWhole: isWhole || index < lines.length - 1,
    }),
  );
  return items.at(-1);
}

const header = headerOf();
const running = [{ serial: 1 }];
const refusals: readonly (readonly [about: string, lines: readonly (object | string)[], error: string])[] = [
  ['no JSON', ['hello'], 'line 1 is not a JSON object'],
  ['no object', ['7'], 'line 1 is not a JSON object'],
  ['something else', [{ format: 'graph' }], 'line 1 is not the first line of a graphwarden guard recording'],
  ['no header', [listedAt(0)], 'line 1 is not the first line of a graphwarden guard recording'],
  [
    'a later version',
    [{ ...header, version: 2, more: true }],
    'line 1 has format version 2; this program reads version 1',
  ],
  ['a header that is odd', [{ ...header, nodes: [] }], 'line 1 is not a valid header of a recording (at nodes)'],
  ['a header with more', [{ ...header, more: 1 }], 'line 1 is not a valid header of a recording'],
  ['no event', [header, { event: 'nothing' }], 'line 2 is not a valid event of a recording (at event)'],
  ['a second header', [header, header], 'line 2 is not a valid event of a recording (at event)'],
  [
    'an event with more',
    [header, { event: 'graphs', at: at(0), names: [], url: '/x' }],
    'line 2 is not a valid event of a recording',
  ],
  ['an empty line', [header, listedAt(0), ''], 'line 3 is not a JSON object'],
  ['another node', [header, listedAt(0, [], 'n2')], 'line 2 has a node that the header does not contain'],
  [
    'lists out of order',
    [header, listedAt(5000), listedAt(0)],
    'line 3 is out of order: its time is before the previous line',
  ],
  ['a list of the past', [header, { ...listedAt(0), started: at(1) }], 'line 2 has an end before its start'],
  [
    'truths that are missing',
    [headerOf({ clauses: [{ param: 'a', patterns: ['b'] }] }), listedAt(0, running)],
    'line 2 must have one result for each clause of the header',
  ],
  [
    'results without clauses in the header',
    [header, listedAt(0, [{ results: '1' }])],
    'line 2 must have one result for each clause of the header',
  ],
  [
    'a time beyond all dates',
    [header, { ...listedAt(0), at: { wall: 1e300, mono: 1 } }],
    'line 2 is not a valid event of a recording (at at.wall)',
  ],
  [
    'a time of nowhere',
    [header, { ...listedAt(0), at: { wall: 0 } }],
    'line 2 is not a valid event of a recording (at at.mono)',
  ],
];

describe('recording reader', () => {
  it('returns the header and the events', () => {
    expect(last([header])).toEqual({ ok: true, value: { kind: 'header', header } });
    const list = listedAt(5000, running);
    expect(last([header, listedAt(0), list])).toEqual({ ok: true, value: { kind: 'event', event: list } });
    for (const event of [
      { event: 'unlisted', node: 'n1', at: at(0), reason: 'timeout' },
      { event: 'unlisted', node: 'n1', at: at(0), reason: 'body', skip_reason: 'error' },
      { event: 'gate_value', node: 'n1', at: at(0), source: 'queue_depth', interval: 5000 },
      { event: 'graphs', at: at(0), names: ['fraud'] },
      { ...listedAt(0), list: { rejected: 'malformed' } },
      { ...listedAt(0), list: { entries: [{ skipped: true }, { skipped: true, id: '?1' }] } },
    ]) {
      expect(last([header, event])).toEqual({ ok: true, value: { kind: 'event', event } });
    }
  });

  it.each(refusals)('rejects %s, and names the line', (_, lines, error) => {
    expect(last(lines)).toEqual({ ok: false, error });
  });

  it('reports a truncated last line', () => {
    const error =
      'line 2 is incomplete, because the recording ended while it was written; remove the line to replay the rest';
    expect(last([header, JSON.stringify(listedAt(0)).slice(0, 40)], false)).toEqual({ ok: false, error });
    // What looks whole may lack digits at its end.
    expect(last([header, listedAt(0)], false)).toEqual({ ok: false, error });
  });

  it('rejects an entry with an unknown field', () => {
    const entryWith = (more: object) => {
      const list = listedAt(0, running);
      const [entry] = 'list' in list && 'entries' in list.list ? list.list.entries : [];
      return { ...list, list: { entries: [{ ...entry, ...more }] } };
    };
    expect(last([header, entryWith({})])).toMatchObject({ ok: true });
    for (const more of [
      { id: 'all' },
      { query: '/query/fraud/ring_scan?depth=4' },
      { query: '/echo' },
      { start: 'yesterday' },
      { elapsed: -1 },
      { method: 'get' },
      { user: 'someone' },
    ]) {
      expect(last([header, entryWith(more)])).toMatchObject({
        ok: false,
        error: expect.stringContaining('line 2 is not a valid event'),
      });
    }
  });
});
