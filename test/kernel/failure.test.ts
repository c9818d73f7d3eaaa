import { describe, expect, it } from 'vitest';
import { failure, failureReasons } from '../../src/kernel/failure.ts';

describe('failures', () => {
  it('know a closed set of reasons, as the contract lists them', () => {
    expect([...failureReasons].toSorted()).toEqual(
      ['auth', 'body', 'status', 'timeout', 'tls', 'too_large', 'unreachable', 'unsupported'].toSorted(),
    );
  });

  it('carry what is known beside reason and message', () => {
    expect(failure('timeout', 'm1 did not answer')).toEqual({ reason: 'timeout', message: 'm1 did not answer' });
    expect(failure('auth', 'm1 refused us', { status: 403, code: 'REST-10016' })).toEqual({
      reason: 'auth',
      message: 'm1 refused us',
      status: 403,
      code: 'REST-10016',
    });
  });
});
