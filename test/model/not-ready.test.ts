import { expect, it } from 'vitest';
import { notReadyReasons, notReadyText } from '../../src/model/not-ready.ts';

it('has a text for each reason', () => {
  for (const reason of notReadyReasons) expect(notReadyText([reason])).toMatch(/^[a-z].* .*[^.]$/);
});

it('lists the reasons in their order', () => {
  expect(notReadyText(['paused', 'breaker_open'])).toBe('the guard is paused; a circuit breaker is open');
});

it('omits a late list if the lists fail', () => {
  expect(notReadyText(['list_failed', 'list_missing'])).toBe('the latest process list failed or was rejected');
  expect(notReadyText(['list_missing'])).toBe('no recent process list has arrived');
});

it('shows a reason of another version as it is', () => {
  expect(notReadyText(['new_reason', 'constructor'])).toBe('new_reason; constructor');
});
