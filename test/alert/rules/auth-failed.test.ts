import { expect, it } from 'vitest';
import { authFailed } from '../../../src/alert/rules/auth-failed.ts';
import { findings, isKnown, situationWith, view } from './rule-fixtures.ts';

const refused = view('queries', 'm1', { fresh: false, reason: 'auth', message: 'GET /restpp/showprocesslistall: 403' });

it('auth_failed › states the rejected requests', () => {
  const late = view('queries', 'm2', { fresh: false, reason: 'timeout' });
  expect(findings(authFailed, situationWith({}, { collectors: [refused, late, view('services')] }))).toEqual([
    { labels: { node: 'm1', collector: 'queries' }, facts: { message: refused.message, place: 'on m1' } },
  ]);
});

it('auth_failed › is unknown before the first poll', () => {
  const { lastSuccess: _, ...unasked } = view('queries', 'm1', { fresh: false });
  const identity = { node: 'm1', collector: 'queries' };
  expect([isKnown(authFailed, refused, identity), isKnown(authFailed, unasked, identity)]).toEqual([true, false]);
});
