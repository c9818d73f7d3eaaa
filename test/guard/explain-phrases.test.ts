import { describe, expect, it } from 'vitest';
import { conditionsSection, protectionSection } from '../../src/guard/conditions-section.ts';
import { conditionPhrases, groupPhrase, pressurePhrase, windowPhrase } from '../../src/guard/explain-phrases.ts';
import { joinWords } from '../../src/guard/phrases.ts';
import { gateSection, groupSection, windowSection } from '../../src/guard/policy-section.ts';

describe('explanation of conditions', () => {
  it.each([
    [{ node: ['m1', 'm2'] }, 'run on the node m1 or m2'],
    [{ graph: 'sandbox' }, 'run in the graph sandbox'],
    [{ query: ['adhoc_*', 're:^x+$', 'y'] }, 'are called adhoc_*, re:^x+$ or y'],
    [{ method: 'GET' }, 'use the HTTP method GET'],
    [{ params: { depth: ['', '7'] } }, 'have a parameter depth that is empty or 7'],
    [{ age: '> 10m' }, 'have run for more than 10m'],
    [{ granted_timeout: '>= 1h30m' }, 'were granted a timeout of at least 1h30m'],
    [{ remaining: '< 30s' }, 'have less than 30s left until the server ends them'],
    [{ age_share: '<= 0.5' }, 'have used at most 50 % of their timeout'],
    [{ age_share: '> 0.07' }, 'have used more than 7 % of their timeout'],
  ])('is %j', (when, phrase) => {
    expect(conditionPhrases(conditionsSection.parse(when))).toEqual([phrase]);
  });

  it('joins all requirements', () => {
    const when = conditionsSection.parse({ age: '> 10m', graph: 'sandbox', params: { a: '1', b: '2' }, node: 'm1' });
    expect(conditionPhrases(when)).toEqual([
      'run on the node m1',
      'run in the graph sandbox',
      'have a parameter a that is 1',
      'have a parameter b that is 2',
      'have run for more than 10m',
    ]);
    const protection = protectionSection.parse({ node: 'm1', graph: 'sandbox' });
    expect(conditionPhrases(protection)).toEqual(['run on the node m1', 'run in the graph sandbox']);
  });
});

it.each([
  [{ node_memory: '> 0.85', for: '3m' }, "more than 85 % of the node's memory is used, for at least 3m"],
  [{ node_cpu: '>= 0.975', for: '1m' }, "at least 97.5 % of the node's CPU is used, for at least 1m"],
  [{ queue_depth: '> 20', for: '10s' }, 'the number of delayed queries on the node is more than 20, for at least 10s'],
  [
    { queue_oldest: '> 2m', for: '10s' },
    'the oldest delayed query on the node has waited for more than 2m, for at least 10s',
  ],
])('explain phrases › with a gate: while %j', (clause, phrase) => {
  expect(gateSection.parse({ any: [clause] }).clauses.map(pressurePhrase)).toEqual([phrase]);
});

it.each([
  [{ count: '>= 2' }, 'of the matching queries on one node, in one graph and with one name there are at least 2'],
  [{ by: ['node'], oldest: '> 5m' }, 'of the matching queries on one node the oldest has run for more than 5m'],
  [
    { by: ['graph'], count: '> 9', oldest: '> 5m', youngest: '> 1m' },
    'of the matching queries in the whole cluster and in one graph there are more than 9, the oldest has run for more than 5m and the ' +
      'youngest has run for more than 1m',
  ],
])('explain phrases › with active hours: %j', (group, phrase) => {
  expect(groupPhrase(groupSection.parse(group))).toBe(phrase);
});

it.each([
  [{}, 'every day from 00:00 to 24:00 (UTC)'],
  [
    { days: ['mon-fri'], from: '07:00', to: '20:30', tz: 'Europe/Berlin' },
    'on Mon–Fri from 07:00 to 20:30 (Europe/Berlin)',
  ],
  [{ days: ['sat', 'sun'] }, 'on Sat–Sun from 00:00 to 24:00 (UTC)'],
  [{ days: ['sun', 'wed'] }, 'on Sun, Wed from 00:00 to 24:00 (UTC)'],
  [{ days: ['fri-mon', 'wed'] }, 'on Wed, Fri–Mon from 00:00 to 24:00 (UTC)'],
  [{ days: ['fri'], from: '22:00', to: '06:00' }, 'on Fri from 22:00 to 06:00 of the next day (UTC)'],
  [{ days: ['fri'], from: '06:00', to: '06:00' }, 'on Fri from 06:00 to 06:00 of the next day (UTC)'],
])('explain phrases › with a group condition: only %j', (window, phrase) => {
  expect(windowPhrase(windowSection.parse(window))).toBe(phrase);
});

it.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
])('explain phrases › lists matching patterns: %j', (words, text) => {
  expect(joinWords(words, 'and')).toBe(text);
});
