import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardSection } from '../../src/guard/guard-section.ts';
import { issuesOf } from './issues.ts';

/** The whole of the language in one place. */
const full = {
  mode: 'enforce',
  protect: [{ graph: '*', query: 'nightly_*' }],
  budgets: { per_node: { max: 2, within: '5m' }, per_cluster: { max: 4, within: '1h' } },
  breakers: { same_query: { aborts: 5, within: '30m' }, no_relief: { aborts: 1 } },
  recording: { enabled: false, max_size: '1GiB', max_age: '2h' },
  policies: [
    { name: 'one', mode: 'enforce', when: { query: 'adhoc_*' } },
    { name: 'two', when: { age: '> 1h' } },
  ],
};

describe('guard section', () => {
  it('is in observe mode without policies if it is absent', () => {
    expect(guardSection.parse(undefined)).toEqual({
      mode: 'observe',
      protect: [],
      budgets: { perNode: { max: 3, within: 600_000 }, perCluster: { max: 6, within: 600_000 } },
      breakers: { sameQuery: { aborts: 3, within: 900_000 }, noRelief: { aborts: 2 } },
      recording: { enabled: true, maxSize: 67_108_864, maxAge: 86_400_000 },
      policies: [],
    });
  });

  it('accepts every key', () => {
    const { policies, ...rest } = guardSection.parse(full);
    expect(rest).toEqual({
      mode: 'enforce',
      protect: [{ graph: [{ kind: 'glob', text: '*' }], query: [{ kind: 'glob', text: 'nightly_*' }] }],
      budgets: { perNode: { max: 2, within: 300_000 }, perCluster: { max: 4, within: 3_600_000 } },
      breakers: { sameQuery: { aborts: 5, within: 1_800_000 }, noRelief: { aborts: 1 } },
      recording: { enabled: false, maxSize: 2 ** 30, maxAge: 7_200_000 },
    });
    expect(policies.map(({ name, mode }) => [name, mode])).toEqual([
      ['one', 'enforce'],
      ['two', 'observe'],
    ]);
  });

  it('keeps the defaults of keys that are absent', () => {
    expect(guardSection.parse({ budgets: { per_node: { max: 1 } } }).budgets).toEqual({
      perNode: { max: 1, within: 600_000 },
      perCluster: { max: 6, within: 600_000 },
    });
  });

  it.each([
    [{ mode: 'on' }, 'mode'],
    [{ mode: null }, 'mode'],
    [{ protect: [{}] }, 'protect.0'],
    [{ protect: {} }, 'protect'],
    [{ budgets: { per_node: { max: 0 } } }, 'budgets.per_node.max'],
    [{ budgets: { per_node: { within: '0s' } } }, 'budgets.per_node.within'],
    [{ budgets: { per_node: { within: '10ms' } } }, 'budgets.per_node.within'],
    [{ budgets: { per_cluster: 6 } }, 'budgets.per_cluster'],
    [{ budgets: { per_hour: { max: 1 } } }, 'budgets'],
    [{ recording: { max_size: '1023KiB' } }, 'recording.max_size'],
    [{ recording: { max_age: '0s' } }, 'recording.max_age'],
    [{ breakers: { same_query: { aborts: 0 } } }, 'breakers.same_query.aborts'],
    [{ breakers: { same_query: { within: '15' } } }, 'breakers.same_query.within'],
    [{ breakers: { same_query: { within: '15ms' } } }, 'breakers.same_query.within'],
    [{ breakers: { no_relief: { within: '15m' } } }, 'breakers.no_relief'],
    [{ policies: {} }, 'policies'],
    [{ policies: [...full.policies, { name: 'three' }] }, 'policies.2.when'],
    [{ rules: [] }, ''],
  ])('rejects %j', (more, path) => {
    const found = issuesOf(guardSection, { ...full, ...more });
    expect(found.map((complaint) => complaint.split(': ', 1)[0])).toEqual([path]);
  });

  it('reports all errors at once', () => {
    const given = { mode: 'on', protect: [{ query: 'a-b' }], policies: [{ name: 'one', when: { age: '10m' } }] };
    expect(issuesOf(guardSection, given)).toHaveLength(3);
  });

  it('returns a result for any input, without an exception', () => {
    const key = fc.constantFrom(
      'mode',
      'protect',
      'policies',
      'budgets',
      'when',
      'name',
      'query',
      'age',
      'gate',
      'any',
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        fc.constantFrom('> 10m', 'enforce', 're:^a$', '*', ''),
        fc.constantFrom(null, 0, true),
        fc.dictionary(key, tie('any'), { maxKeys: 4 }),
        fc.array(tie('any'), { maxLength: 3 }),
      ),
    })).any;
    fc.assert(
      fc.property(value, (given) => {
        const read = guardSection.safeParse(given);
        expect(read.success || read.error.issues.length > 0).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
