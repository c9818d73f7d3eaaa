import { expect, it } from 'vitest';
import { FailureLog } from '../../src/runtime/failure-log.ts';
import { FakeClock } from '../support/clock.ts';
import { recordingLogger } from '../support/logger.ts';

it('failure log › logs the failures of an address once a minute, with their number', async () => {
  const clock = new FakeClock();
  const log = recordingLogger();
  const reported: unknown[] = [];
  const failures = new FailureLog(log, (failure) => reported.push(failure), clock);
  for (const address of ['10.0.0.1', '10.0.0.1', '10.0.0.2', '10.0.0.1']) failures.add(address);
  await clock.advance(60_000);
  failures.add('10.0.0.1');
  expect(log.lines.map(({ level, message, fields }) => [level, message, fields])).toEqual([
    ['warn', 'authentication failed', { address: '10.0.0.1', requests: 1 }],
    ['warn', 'authentication failed', { address: '10.0.0.2', requests: 1 }],
    ['warn', 'authentication failed', { address: '10.0.0.1', requests: 3 }],
  ]);
  expect(reported).toEqual(log.lines.map(({ fields }) => fields));
});

it('failure log › counts a bounded number of addresses', () => {
  const log = recordingLogger();
  const failures = new FailureLog(log, () => undefined, new FakeClock());
  for (let at = 0; at < 1_001; at += 1) failures.add(`address ${at}`);
  failures.add('address 1');
  expect(log.lines).toHaveLength(1_002);
});
