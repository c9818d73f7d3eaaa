import { expect, it } from 'vitest';
import { isUnexpectedLogLine } from '../../../campaigns/crash/daemon.ts';
import { openLogger } from '../../../src/runtime/logger.ts';
import { recordingOutput } from '../../support/output.ts';

it.each([
  ['error', 'the state could not be stored', {}, true],
  ['warn', 'the state is kept only in memory', {}, true],
  ['warn', 'a node is down', {}, false],
  ['info', 'the state was opened', {}, false],
  ['error', 'notification rejected', { receiver: 'chat' }, false],
  ['error', 'a handler failed, which is a bug', { receiver: 'chat' }, true],
] as const)('a line of %s «%s» %o is a complaint: %s', async (level, message, fields, is) => {
  const out = recordingOutput();
  const { log } = await openLogger({ level: 'info', format: 'json' }, out);
  log[level](message, fields);
  expect(isUnexpectedLogLine(out.text())).toBe(is);
});
