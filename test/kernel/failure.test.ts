import { describe, expect, it } from 'vitest';
import { failure, failureReasons, hasResponse } from '../../src/kernel/failure.ts';

describe('failures', () => {
  it('have the reasons of the metrics contract', () => {
    expect([...failureReasons].toSorted()).toEqual(
      ['auth', 'body', 'status', 'timeout', 'tls', 'too_large', 'unreachable', 'unsupported'].toSorted(),
    );
  });

  it('contain further known fields with reason and message', () => {
    expect(failure('timeout', 'm1 did not answer')).toEqual({ reason: 'timeout', message: 'm1 did not answer' });
    expect(failure('auth', 'm1 refused us', { status: 403, code: 'REST-10016' })).toEqual({
      reason: 'auth',
      message: 'm1 refused us',
      status: 403,
      code: 'REST-10016',
    });
  });

  it.each([
    ['no connection', failure('unreachable', ''), false],
    ['no certificate', failure('tls', ''), false],
    ['no secret to send', failure('auth', ''), false],
    ['a refused credential', failure('auth', '', { status: 403 }), true],
    ['an error code', failure('auth', '', { code: 'REST-10016' }), true],
    ['a redirect', failure('unreachable', '', { status: 307 }), true],
    ['an overloaded server', failure('status', '', { status: 503 }), true],
    ['a login page', failure('body', ''), true],
  ])('state whether the server responded: %s', (_, given, expected) => {
    expect(hasResponse(given)).toBe(expected);
  });
});
