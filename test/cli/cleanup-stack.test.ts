import { expect, it } from 'vitest';
import { createCleanupStack } from '../../src/cli/cleanup-stack.ts';
import { recordingLogger } from '../support/logger.ts';

it('cleanup runs the latest step first, one at a time', async () => {
  const done: string[] = [];
  const undo = createCleanupStack();
  undo.add('first', async () => {
    await Promise.resolve();
    done.push('first');
  });
  undo.add('second', async () => {
    done.push('second begins');
    await Promise.resolve();
    done.push('second ends');
  });
  expect(await undo.run(recordingLogger())).toBe(true);
  expect(done).toEqual(['second begins', 'second ends', 'first']);
});

it('cleanup logs a failed step and continues', async () => {
  const log = recordingLogger();
  const done: string[] = [];
  const undo = createCleanupStack();
  undo.add('first', () => void done.push('first'));
  undo.add('second', () => Promise.reject(new Error('stuck')));
  expect(await undo.run(log)).toBe(false);
  expect(done).toEqual(['first']);
  expect(log.lines).toMatchObject([{ level: 'error', fields: { step: 'second' } }]);
});

it('cleanup runs each step once', async () => {
  let times = 0;
  const undo = createCleanupStack();
  undo.add('once', () => {
    times += 1;
  });
  await undo.run(recordingLogger());
  await undo.run(recordingLogger());
  expect(times).toBe(1);
});
