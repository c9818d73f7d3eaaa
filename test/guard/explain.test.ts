import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ExplainEnvironment, explainGuard } from '../../src/guard/explain.ts';
import { guardSection } from '../../src/guard/guard-section.ts';
import { policyOf } from './match-inputs.ts';

const around: ExplainEnvironment = { clusters: ['prod'], isOneNode: false };
const plain = { name: 'runaway', when: { query: 'adhoc_*', age: '> 10m' } };

function explained(given: unknown, more: Partial<ExplainEnvironment> = {}): readonly (readonly string[])[] {
  return explainGuard(guardSection.parse(given), { ...around, ...more });
}

/** What is said of the last policy. */
function ofPolicy(given: object, guard: object = {}, more: Partial<ExplainEnvironment> = {}): readonly string[] {
  return explained({ ...guard, policies: [{ ...plain, ...given }] }, more).at(-1) ?? [];
}

describe('explanation of the guard', () => {
  it('states that the guard does nothing without policies', () => {
    expect(explained(undefined)).toEqual([
      [
        'The guard observes: it aborts no query, whatever the mode of a policy.',
        'No policy aborts, in any cluster,',
        '  - queries that are not installed: interpreted queries, built-in calls, queued queries',
        '  - queries for which any guard condition is uncertain',
        'All policies together send at most 3 aborts on a node in any 10m, and 6 in a cluster in any 10m.',
        'After 3 aborts of one query within 15m the guard stops aborting that query, and after 2 aborts in a row that do not reduce the pressure ' +
          'the guard stops a policy with a gate, until an operator resets the circuit breaker.',
      ],
      ['There are no policies: the guard matches and aborts nothing.'],
    ]);
  });

  it('contains bounds that are not accepted, and the limits', () => {
    const [lines] = explained({
      mode: 'enforce',
      protect: [{ graph: '*', query: 'nightly_*' }, { node: 'm9' }],
      budgets: { per_node: { max: 1, within: '1h' }, per_cluster: { max: 2, within: '2h' } },
      breakers: { same_query: { aborts: 1, within: '1d' }, no_relief: { aborts: 1 } },
    });
    expect(lines).toEqual([
      'The guard enforces: a policy aborts the queries that it matches if its mode is enforce as well.',
      'No policy aborts, in any cluster,',
      '  - queries that run in the graph * and are called nightly_*',
      '  - queries that run on the node m9',
      '  - queries that are not installed: interpreted queries, built-in calls, queued queries',
      '  - queries for which any guard condition is uncertain',
      'All policies together send at most 1 abort on a node in any 1h, and 2 in a cluster in any 2h.',
      'After 1 abort of one query within 1d the guard stops aborting that query, and after 1 abort in a row that do not reduce the pressure ' +
        'the guard stops a policy with a gate, until an operator resets the circuit breaker.',
    ]);
  });

  it('states that a query without the parameter of an entry of protect may be protected', () => {
    const protect = [{ query: 'export_all', params: { tenant: 'acme' } }, { query: 'nightly_*' }];
    const [, , first, second] = explained({ protect })[0] ?? [];
    expect(first).toMatch(/have a parameter tenant that is acme, or may do so$/);
    expect(second).not.toContain('may do so');
  });

  it('does not count over a cluster with one node', () => {
    expect(explained({}, { isOneNode: true })[0]).toContain(
      'All policies together send at most 3 aborts on a node in any 10m.',
    );
  });
});

describe('explanation of a policy', () => {
  it('contains every part', () => {
    const given = {
      mode: 'enforce',
      clusters: ['prod'],
      when: { graph: ['sandbox'], query: 'adhoc_*', age: '> 10m', remaining: '> 30s', granted_timeout: '> 1h' },
      gate: {
        any: [
          { node_memory: '> 0.85', for: '3m' },
          { queue_depth: '> 20', for: '1m' },
        ],
      },
      active: { days: ['mon-fri'], from: '07:00', to: '20:00', tz: 'Europe/Berlin' },
      group: { by: ['node'], count: '>= 2' },
      notify: ['oncall-db', 'chat'],
    };
    expect(ofPolicy(given, { mode: 'enforce' })).toEqual([
      'runaway: enforces.',
      '  It aborts installed queries of the cluster prod that',
      '    - run in the graph sandbox',
      '    - are called adhoc_*',
      '    - have run for more than 10m',
      '    - were granted a timeout of more than 1h',
      '    - have more than 30s left until the server ends them',
      '  and only',
      "    - while more than 85 % of the node's memory is used, for at least 3m; or the number of " +
        'delayed queries on the node is more than 20, for at least 1m',
      '    - on Mon–Fri from 07:00 to 20:00 (Europe/Berlin)',
      '    - if of the matching queries on one node there are at least 2',
      '  The earliest abort is when a query has run for 10m30s: the query has been observed 2 times, 5s apart, and has met ' +
        'all conditions for 30s.',
      '  Queries that were granted less than 1h never match.',
      '  Queries whose timeout the server does not list never match.',
      '  Of several matching queries, it aborts the oldest first, at most 1 of a group at a time. Then its cooldown on that node is 1m.',
      '  oncall-db and chat are notified before the abort.',
    ]);
  });

  it.each([
    ['enforce', 'enforce', 'runaway: enforces.', 'It aborts'],
    ['enforce', 'observe', 'runaway: observes, because the policy says observe: it reports', 'It would abort'],
    ['observe', 'enforce', 'runaway: observes, because the guard says observe: it reports', 'It would abort'],
    [
      'observe',
      'observe',
      'runaway: observes, because the guard and the policy say observe: it reports',
      'It would abort',
    ],
  ])('with guard mode %s and policy mode %s', (guard, mode, head, verb) => {
    const lines = ofPolicy({ mode }, { mode: guard });
    expect(lines[0]?.startsWith(head)).toBe(true);
    expect(lines[1]?.trim().startsWith(verb)).toBe(true);
  });

  it('names every cluster if the policy names none', () => {
    expect(ofPolicy({}, {}, { clusters: ['a', 'b', 'c'] })[1]).toBe(
      '  It would abort installed queries of the clusters a, b and c that',
    );
  });

  it('requires all gates if configured', () => {
    const gate = {
      all: [
        { node_cpu: '> 0.9', for: '1m' },
        { queue_depth: '> 9', for: '1m' },
      ],
    };
    expect(ofPolicy({ gate }).find((line) => line.includes('CPU'))).toContain('for at least 1m; and the number');
  });

  it.each([
    [
      { when: { age: '> 10m', method: 'GET' } },
      'Queries whose method the server does not list never match; most servers do not list it.',
    ],
    [
      { when: { params: { a: '*' } } },
      'Queries with parameters in the body never match: the server does not list these parameters.',
    ],
    [{ when: { age_share: '> 0.5' } }, 'Queries whose timeout the server does not list never match.'],
    [{ when: { query: 'a*', age: '< 5m' } }, 'Queries that have run for more than 5m never match.'],
    [{}, 'A query that was granted less than 10m30s matches only if it exceeds its timeout.'],
    [
      { unless: { graph: 'ledger', age: '< 1h' } },
      '  - run in the graph ledger and have run for less than 1h, or may do so',
    ],
    [
      { victims: { keep: 'oldest', max: 5 } },
      'Of several matching queries, it aborts the oldest first, at most 5 on a node at a time, and never the oldest on a node. Then its cooldown on that node is 1m.',
    ],
    [
      { victims: { pick: 'newest', max: 3 }, cooldown: '0s' },
      'Of several matching queries, it aborts the newest first, at most 3 on a node at a time. It has no cooldown.',
    ],
    [{ notify: ['chat'] }, 'chat would be notified before the abort.'],
  ])('%j has its own sentence', (given, sentence) => {
    expect(ofPolicy(given)).toContain(`  ${sentence}`);
  });

  it('has the same form for one receiver and several', () => {
    const given = { mode: 'enforce', notify: ['chat'] };
    expect(ofPolicy(given, { mode: 'enforce' })).toContain('  chat is notified before the abort.');
  });

  it('omits keys that are not configured', () => {
    const text = ofPolicy({}).join('\n');
    expect(text).not.toMatch(/method|body|and only|notified|belong to|does not list|Infinity|undefined|NaN/);
  });
});

describe('explanation of precedence', () => {
  const when = { query: 'adhoc_*' };
  const last = (policies: readonly object[], clusters = ['prod', 'test']) =>
    explained({ mode: 'enforce', policies }, { clusters })
      .slice(1)
      .map((lines) => lines.find((line) => line.endsWith('belong to that policy.'))?.trim());

  it('names earlier policies, and enforcing ones before observing ones', () => {
    expect(
      last([
        { name: 'a', when },
        { name: 'b', when, mode: 'enforce' },
        { name: 'c', when },
        { name: 'd', when, mode: 'enforce' },
      ]),
    ).toEqual([
      'Queries that b or d also matches belong to that policy.',
      undefined,
      'Queries that a, b or d also matches belong to that policy.',
      'Queries that b also matches belong to that policy.',
    ]);
  });

  it('names a policy that a rejected file restricts, with the reason for its mode', () => {
    const restricted = policyOf(undefined, { name: 'a', mode: 'observe', isRestricted: true });
    const policies = [restricted, policyOf(undefined, { name: 'b' })];
    const guard = { ...guardSection.parse({ mode: 'enforce' }), policies };
    const [, first, second] = explainGuard(guard, { clusters: ['prod'], isOneNode: false });
    expect(first?.[0]).toBe(
      'a: observes, because a rejected configuration file changes or removes it: it reports what it would abort, and sends no request.',
    );
    expect(second).toContain('  Queries that a also matches belong to that policy.');
  });

  it('does not exist for another cluster', () => {
    expect(
      last([
        { name: 'a', when, clusters: ['prod'] },
        { name: 'b', when, clusters: ['test'] },
        { name: 'c', when, clusters: ['test', 'prod'] },
      ]),
    ).toEqual([undefined, undefined, 'Queries that a or b also matches belong to that policy.']);
  });
});

it('guard explanation › exists for any configuration', () => {
  const bound = fc
    .tuple(fc.constantFrom('>', '>=', '<', '<='), fc.constantFrom('0s', '1s', '20m', '3d'))
    .map(([a, b]) => `${a} ${b}`);
  const when = fc.record(
    {
      graph: fc.constantFrom('*', ['a', 'b']),
      query: fc.constantFrom('adhoc_*', 're:^a$'),
      params: fc.constant({ a: ['', 'x'] }),
      age: bound,
      remaining: bound,
      granted_timeout: bound,
      age_share: fc.constantFrom('> 0', '< 0', '<= 0.1', '>= 2'),
    },
    { requiredKeys: [] },
  );
  const more = fc.record({ mode: fc.constantFrom('observe', 'enforce'), grace: fc.constantFrom('0s', '1h') });
  let count = 0;
  fc.assert(
    fc.property(when, more, (conditions, rest) => {
      const guard = guardSection.safeParse({ policies: [{ name: 'a', when: conditions, ...rest }] });
      if (!guard.success) return;
      count += 1;
      const text = explainGuard(guard.data, around).flat().join('\n');
      expect(text).not.toMatch(/undefined|NaN|Infinity|\[object| {2,}[^ -].* {2}|-\d/);
      for (const line of text.split('\n')) expect(line).toMatch(/^( {2}){0,2}(- )?\S/);
    }),
    { numRuns: 1000 },
  );
  expect(count).toBeGreaterThan(300);
});
