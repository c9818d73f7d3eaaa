import { expect, it } from 'vitest';
import { isComplaint } from '../../crash/daemon.ts';
import { openLog } from '../../src/runtime/logger.ts';
import { recordingOutput } from '../support/output.ts';

it.each([
  ['error', 'the state could not be stored', {}, true],
  ['warn', 'the state is kept in memory alone', {}, true],
  ['warn', 'a node is down', {}, false],
  ['info', 'the state was opened', {}, false],
  ['error', 'a letter was refused', { receiver: 'chat' }, false],
  ['error', 'a handler failed, which is a bug', { receiver: 'chat' }, true],
] as const)('a line of %s «%s» %o is a complaint: %s', async (level, message, fields, is) => {
  const out = recordingOutput();
  const { log } = await openLog({ level: 'info', format: 'json' }, out);
  log[level](message, fields);
  expect(isComplaint(out.text())).toBe(is);
});
