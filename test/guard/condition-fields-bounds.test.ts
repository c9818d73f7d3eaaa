import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countBound, durationBound, loadBound, shareBound, waitBound } from '../../src/guard/condition-fields.ts';
import { formatDuration } from '../../src/kernel/duration.ts';
import { issuesOf } from './issues.ts';

describe('bound field', () => {
  it.each([
    [durationBound, '> 10m', '>', 600_000],
    [durationBound, '>=1h30m', '>=', 5_400_000],
    [durationBound, ' <  250ms ', '<', 250],
    [durationBound, '<= 0s', '<=', 0],
    [shareBound, '> 0.9', '>', 0.9],
    [shareBound, '< 1.25', '<', 1.25],
    [shareBound, '>= 2', '>=', 2],
    [countBound, '>= 2', '>=', 2],
    [countBound, '> 20', '>', 20],
    [loadBound, '> 0.85', '>', 0.85],
    [loadBound, '>= 1', '>=', 1],
    [waitBound, '> 30s', '>', 30_000],
  ] as const)('parses $1 (case %$)', (field, text, operator, value) => {
    expect(field.parse(text)).toEqual({ operator, value });
  });

  it.each([
    [durationBound, '10m', 'must begin with >, >=, < or <='],
    [durationBound, '= 10m', 'must begin with >, >=, < or <='],
    [durationBound, '', 'must begin with >, >=, < or <='],
    [durationBound, '=> 10m', 'must begin with >, >=, < or <='],
    [durationBound, '>> 10m', 'must end with a duration'],
    [durationBound, '> 10', 'must end with a duration'],
    [durationBound, '>', 'must end with a duration'],
    [durationBound, '> -10m', 'must end with a duration'],
    [durationBound, '> 10m < 1h', 'must end with a duration'],
    [durationBound, '> 10m\n\n> 1h', 'must end with a duration'],
    [shareBound, '> 90%', 'must end with a number from 0 to 100'],
    [shareBound, '> 101', 'must end with a number from 0 to 100'],
    [shareBound, '> 1e-3', 'must end with a number from 0 to 100'],
    [shareBound, '> -1', 'must end with a number from 0 to 100'],
    [countBound, '> 2.5', 'must end with a whole number'],
    [countBound, '< 2', 'must begin with > or >='],
    [countBound, '2', 'must begin with > or >='],
    [loadBound, '> 85', 'must end with a number from 0 to 1'],
    [loadBound, '> 1.01', 'must end with a number from 0 to 1'],
    [loadBound, '< 0.5', 'must begin with > or >='],
    [waitBound, '<= 30s', 'must begin with > or >='],
    [waitBound, '> 30', 'must end with a duration'],
  ] as const)('rejects «$1»', (field, text, reason) => {
    const found = issuesOf(field, text);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`: ${reason}`);
  });

  it.each([
    [durationBound, '"> 10m"'],
    [shareBound, '"> 0.9"'],
    [countBound, '">= 2"'],
    [loadBound, '"> 0.85"'],
    [waitBound, '"> 30s"'],
  ] as const)('accepts the example of its error, $1', (field, example) => {
    expect(issuesOf(field, 'hunter2')[0]).toContain(`for example ${example}`);
    expect(issuesOf(field, 'hunter2')[0]).not.toContain('hunter2');
    expect(field.safeParse(JSON.parse(example)).success).toBe(true);
  });

  it('prints any duration as it was written', () => {
    const operator = fc.constantFrom('>' as const, '>=' as const, '<' as const, '<=' as const);
    fc.assert(
      fc.property(operator, fc.nat(1e9), fc.constantFrom('', ' ', '  '), (sign, length, space) => {
        expect(durationBound.parse(`${sign}${space}${formatDuration(length)}`)).toEqual({
          operator: sign,
          value: length,
        });
      }),
    );
  });
});
