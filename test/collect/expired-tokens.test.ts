import { expect, it } from 'vitest';
import { expiredTokens } from '../../src/collect/expired-tokens.ts';
import { ok } from '../../src/kernel/result.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollEnd, pollOnce } from '../support/poll-results.ts';

const ended = `graphdb_token_cleanup_last_run_timestamp_seconds ${pollEnd.wall / 1000}`;

it('expired_tokens › states that its last run succeeded, and its duration', async () => {
  const { lines, error } = await pollOnce(expiredTokens, { removeExpiredTokens: ok(20) });
  expect(error).toBeUndefined();
  expect(lines).toEqual(['graphdb_token_cleanup_success 1', 'graphdb_token_cleanup_duration_seconds 0.02', ended]);
});

it('expired_tokens › states that its last run failed', async () => {
  const { lines, error } = await pollOnce(expiredTokens, { removeExpiredTokens: failed('auth') });
  expect(error?.reason).toBe('auth');
  expect(lines).toEqual(['graphdb_token_cleanup_success 0', ended]);
});

it('expired_tokens › is off by default', () => {
  expect(expiredTokens.defaults.enabled).toBe(false);
});
