import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainGuard, type Surroundings } from '../../src/guard/explain.ts';
import { guardSection } from '../../src/guard/section.ts';

const around: Surroundings = { clusters: ['prod'], isOneNode: false };
const plain = { name: 'runaway', when: { query: 'adhoc_*', age: '> 10m' } };

function explained(given: unknown, more: Partial<Surroundings> = {}): readonly (readonly string[])[] {
  return explainGuard(guardSection.parse(given), { ...around, ...more });
}

/** What is said of the last policy. */
function ofPolicy(given: object, guard: object = {}, more: Partial<Surroundings> = {}): readonly string[] {
  return explained({ ...guard, policies: [{ ...plain, ...given }] }, more).at(-1) ?? [];
}

describe('the guard', () => {
  it('says that it does nothing where nothing is configured', () => {
    expect(explained(undefined)).toEqual([
      [
        'The guard observes: no query is ever aborted, whatever the policies say.',
        'Whatever the policies say, in no cluster is aborted what is one of',
        '  - anything but an installed query: interpreted queries, built-in calls, queries that still wait',
        '  - a query of which the lists leave any doubt',
        'All policies together try at most 3 aborts on a node in any 10m, and 6 in a cluster in any 10m.',
        'After 3 aborts of one query within 15m it is left alone, and after 2 aborts in a row that relieved no pressure ' +
          'a policy with a gate rests: until an operator resets it.',
      ],
      ['There are no policies: nothing is matched, and nothing aborted.'],
    ]);
  });

  it('says what is out of bounds, and how much is too much', () => {
    const [lines] = explained({
      mode: 'enforce',
      protect: [{ graph: '*', query: 'nightly_*' }, { node: 'm9' }],
      budgets: { per_node: { max: 1, within: '1h' }, per_cluster: { max: 2, within: '2h' } },
      breakers: { same_query: { aborts: 1, within: '1d' }, no_relief: { aborts: 1 } },
    });
    expect(lines).toEqual([
      'The guard enforces: a policy aborts what it matches if the policy says enforce as well.',
      'Whatever the policies say, in no cluster is aborted what is one of',
      '  - queries that are of the graph * and are called nightly_*',
      '  - queries that run on the node m9',
      '  - anything but an installed query: interpreted queries, built-in calls, queries that still wait',
      '  - a query of which the lists leave any doubt',
      'All policies together try at most 1 abort on a node in any 1h, and 2 in a cluster in any 2h.',
      'After 1 abort of one query within 1d it is left alone, and after 1 abort in a row that relieved no pressure ' +
        'a policy with a gate rests: until an operator resets it.',
    ]);
  });

  it('counts nothing over a cluster of which it sees one node', () => {
    expect(explained({}, { isOneNode: true })[0]).toContain(
      'All policies together try at most 3 aborts on a node in any 10m.',
    );
  });
});

describe('a policy', () => {
  it('is explained in whole', () => {
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
      '    - are of the graph sandbox',
      '    - are called adhoc_*',
      '    - have run for more than 10m',
      '    - were granted a timeout of more than 1h',
      '    - have more than 30s left until the server ends them',
      '  and only',
      "    - while more than 85 % of the node's memory is used, and has been so for 3m; or the number of queries that " +
        'wait on the node is more than 20, and has been so for 1m',
      '    - on Mon–Fri from 07:00 to 20:00 (Europe/Berlin)',
      '    - where of those on one node there are at least 2',
      '  At the earliest it does so when a query has run for 10m30s: it has been listed 2 times, 5s apart, and has met ' +
        'all of this for 30s.',
      '  Never a query that was granted less than 1h.',
      '  Never a query whose timeout the server does not list.',
      '  Of several it takes the oldest first, at most 1 of a group at a time. Then it rests on that node for 1m.',
      '  oncall-db and chat are told beforehand.',
    ]);
  });

  it.each([
    ['enforce', 'enforce', 'runaway: enforces.', 'It aborts'],
    ['enforce', 'observe', 'runaway: observes, since the policy says observe: it tells', 'It would abort'],
    ['observe', 'enforce', 'runaway: observes, since the guard says observe: it tells', 'It would abort'],
    ['observe', 'observe', 'runaway: observes, since the guard and the policy say observe: it tells', 'It would abort'],
  ])('under a guard that says %s says %s itself', (guard, mode, head, verb) => {
    const lines = ofPolicy({ mode }, { mode: guard });
    expect(lines[0]?.startsWith(head)).toBe(true);
    expect(lines[1]?.trim().startsWith(verb)).toBe(true);
  });

  it('is for every cluster where it names none', () => {
    expect(ofPolicy({}, {}, { clusters: ['a', 'b', 'c'] })[1]).toBe(
      '  It would abort installed queries of the clusters a, b and c that',
    );
  });

  it('needs all of its gates where it says so', () => {
    const gate = {
      all: [
        { node_cpu: '> 0.9', for: '1m' },
        { queue_depth: '> 9', for: '1m' },
      ],
    };
    expect(ofPolicy({ gate }).find((line) => line.includes('CPU'))).toContain('for 1m; and the number');
  });

  it.each([
    [{ when: { age: '> 10m', method: 'GET' } }, 'Never a query whose method the server does not list, as most do not.'],
    [{ when: { params: { a: '*' } } }, 'Never a query whose parameters came in a body: those are not listed.'],
    [{ when: { age_share: '> 0.5' } }, 'Never a query whose timeout the server does not list.'],
    [{ when: { query: 'a*', age: '< 5m' } }, 'Never a query that has run for more than 5m.'],
    [{}, 'A query that was granted less than 10m30s has to overrun its timeout to get there.'],
    [
      { when: { query: 'a*', age: '< 20s' } },
      'It can never abort anything: no query can meet all of this until the grace time is over.',
    ],
    [
      { victims: { pick: 'newest', max: 3 }, cooldown: '0s' },
      'Of several it takes the newest first, at most 3 on a node at a time. It does not rest in between.',
    ],
    [{ notify: ['chat'] }, 'chat would be told beforehand.'],
  ])('%j has its own sentence', (given, sentence) => {
    expect(ofPolicy(given)).toContain(`  ${sentence}`);
  });

  it('tells one receiver as it tells several', () => {
    const given = { mode: 'enforce', notify: ['chat'] };
    expect(ofPolicy(given, { mode: 'enforce' })).toContain('  chat is told beforehand.');
  });

  it('says nothing of what is not asked', () => {
    const text = ofPolicy({}).join('\n');
    expect(text).not.toMatch(/method|body|and only|told|comes first|does not list|Infinity|undefined|NaN/);
  });
});

describe('the better right', () => {
  const when = { query: 'adhoc_*' };
  const last = (policies: readonly object[], clusters = ['prod', 'test']) =>
    explained({ mode: 'enforce', policies }, { clusters })
      .slice(1)
      .map((lines) => lines.find((line) => line.endsWith('comes first.'))?.trim());

  it('is that of those before, and of all that enforce over those that observe', () => {
    expect(
      last([
        { name: 'a', when },
        { name: 'b', when, mode: 'enforce' },
        { name: 'c', when },
        { name: 'd', when, mode: 'enforce' },
      ]),
    ).toEqual([
      'What b or d matches as well is not its own: that comes first.',
      undefined,
      'What a, b or d matches as well is not its own: that comes first.',
      'What b matches as well is not its own: that comes first.',
    ]);
  });

  it('is none in another cluster', () => {
    expect(
      last([
        { name: 'a', when, clusters: ['prod'] },
        { name: 'b', when, clusters: ['test'] },
        { name: 'c', when, clusters: ['test', 'prod'] },
      ]),
    ).toEqual([undefined, undefined, 'What a or b matches as well is not its own: that comes first.']);
  });
});

it('finds words for whatever can be configured', () => {
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
