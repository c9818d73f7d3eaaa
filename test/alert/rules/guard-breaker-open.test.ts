import { expect, it } from 'vitest';
import { guardBreakerOpen } from '../../../src/alert/rules/guard-breaker-open.ts';
import { breaker, guarded } from './guard-fixtures.ts';
import { findings, situationWith, wall } from './rule-fixtures.ts';

it('guard_breaker_open › names the query that is no longer aborted, and the command that resets the breaker', () => {
  expect(findings(guardBreakerOpen, guarded({ breakers: [breaker()] }))).toEqual([
    {
      labels: { reason: 'same_query', graph: 'fraud', query: 'ring_scan', policy: '' },
      facts: {
        stopped: 'ring_scan of fraud',
        why: 'It was aborted as often as breakers.same_query allows: its clients seem to send it again each time',
        when: '2026-09-22 04:53:20 UTC',
        key: `'same_query fraud ring_scan'`,
      },
      since: wall,
    },
  ]);
});

it('guard_breaker_open › names the policy without relief', () => {
  const given = breaker({ key: 'relief', reason: 'no_relief', graph: '', query: '', policy: 'relief' });
  expect(findings(guardBreakerOpen, guarded({ breakers: [given] }))).toMatchObject([
    {
      facts: { stopped: 'by the policy relief', why: 'The pressure did not fall after its aborts', key: 'relief' },
    },
  ]);
});

it('guard_breaker_open › quotes a key for the shell', () => {
  const [verdict] = findings(guardBreakerOpen, guarded({ breakers: [breaker({ key: "no_relief ada's $(x)" })] }));
  expect(verdict?.facts.key).toBe(`'no_relief ada'\\''s $(x)'`);
});

it('guard_breaker_open › does not fire while all breakers are closed', () => {
  expect(findings(guardBreakerOpen, guarded())).toEqual([]);
  expect(findings(guardBreakerOpen, situationWith({}))).toEqual([]);
  expect(guardBreakerOpen.knows?.(guarded({ isRestored: false }), {})).toBe(false);
});
