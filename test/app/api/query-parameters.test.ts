import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  filterParameters,
  invalidParameter,
  parameter,
  parseTimestamp,
  rowConditions,
} from '../../../src/app/api/query-parameters.ts';
import { transitionColumns } from '../../../src/app/api/service-routes.ts';

const now = Date.UTC(2026, 8, 22, 12);
const item = z.object({
  name: z.iso.datetime().describe('Name.'),
  state: z.enum(['up', 'down']).describe('State.'),
  old: z.boolean(),
  outcome: z.enum(['', 'done']),
});
const text = { type: 'string', maxLength: 4096 };
const filters = filterParameters(['name', 'state', 'old', 'outcome', 'elsewhere'], item);
const parameters = [...filters, parameter('list', 'A list.', z.array(z.string()))];

function problemOf(query: string): string | undefined {
  return invalidParameter(parameters, new URLSearchParams(query));
}

function conditions(query: string) {
  const found = rowConditions(new URLSearchParams(query), transitionColumns, now);
  return found.ok ? found.value : found.error;
}

describe('filter parameters', () => {
  it('accept the values of an enumeration in the schema of the item', () => {
    expect(filters).toEqual([
      { name: 'name', about: 'Only items with this `name`.', schema: text },
      { name: 'state', about: 'Only items with this `state`.', schema: { type: 'string', enum: ['up', 'down'] } },
      { name: 'old', about: 'Only items with this `old`.', schema: { type: 'boolean' } },
      { name: 'outcome', about: 'Only items with this `outcome`.', schema: { type: 'string', enum: ['', 'done'] } },
      { name: 'elsewhere', about: 'Only items with this `elsewhere`.', schema: text },
    ]);
  });
});

describe('parameter value', () => {
  it.each([
    '',
    'name=',
    'name=x',
    'state=up',
    'old=true&state=down',
    'outcome=',
    'outcome=done',
    'list=a&list=b',
    'new=x',
  ])('is valid in %j', (query) => expect(problemOf(query)).toBeUndefined());

  it.each([
    ['state=UP', "Parameter 'state' must be one of up, down, not 'UP'. Did you mean 'up'?"],
    ['state=', "Parameter 'state' must be one of up, down, not ''."],
    ['old=1', "Parameter 'old' must be one of true, false, not '1'."],
    ['outcome=null', "Parameter 'outcome' must be one of done, not 'null'."],
    ['state=up&state=down', "Parameter 'state' occurs 2 times; it is allowed once."],
    ['name=a&name=a&name=b', "Parameter 'name' occurs 3 times; it is allowed once."],
  ])('is invalid in %j', (query, sentence) => expect(problemOf(query)).toBe(sentence));
});

describe('time parameter', () => {
  it.each([
    ['24h', now - 86_400_000],
    ['1h30m', now - 5_400_000],
    ['0s', now],
    ['2026-09-22T11:00:00Z', now - 3_600_000],
    ['2026-09-22T13:00:00.250+02:00', now - 3_600_000 + 250],
    ['2026-09-22T11:00Z', now - 3_600_000],
  ])('accepts %s', (given, moment) => {
    expect(parseTimestamp('since', given, now)).toEqual({ ok: true, value: moment });
  });

  it('is 1970 at the earliest, because an earlier time may have no date', () => {
    expect(parseTimestamp('since', '99999999999d', now)).toEqual({ ok: true, value: 0 });
  });

  it.each(['', 'yesterday', '24', '2026-09-22', '2026-09-22T11:00:00', '2026-13-40T11:00:00Z', '-1h', '1790000000'])(
    'rejects %j',
    (given) => {
      const moment = parseTimestamp('since', given, now);
      expect(moment).toMatchObject({ ok: false });
      expect(moment.ok ? '' : moment.error).toContain('since must be');
    },
  );
});

describe('conditions on stored rows', () => {
  it('are empty without a filter', () => {
    expect(conditions('')).toEqual([]);
    expect(conditions('limit=5&offset=5')).toEqual([]);
  });

  it('compare columns and times', () => {
    expect(conditions('service=GPE&partition=&to=Down&from=Online&since=1h&until=30m')).toEqual([
      { column: 'service', is: '=', value: 'GPE' },
      { column: 'partition', is: '=', value: '' },
      { column: 'to_status', is: '=', value: 'Down' },
      { column: 'from_status', is: '=', value: 'Online' },
      { column: 'at', is: '>=', value: now - 3_600_000 },
      { column: 'at', is: '<', value: now - 1_800_000 },
    ]);
  });

  it.each(['service_name=GPE', 'to_status=Down', 'constructor=1', 'at=7'])('reject %s', (query) => {
    expect(conditions(query)).toContain('does not exist');
  });

  it('reject an invalid time', () => {
    expect(conditions('until=soon')).toContain('until must be');
    expect(conditions('since=1h&until=2h')).toBe('since must not be after until.');
  });
});
