import { describe, expect, it } from 'vitest';
import type { LogSettings } from '../../src/kernel/logger.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { openLogger } from '../../src/runtime/logger.ts';
import { type RecordingOutput, recordingOutput } from '../support/output.ts';

function lines(out: RecordingOutput): readonly Record<string, unknown>[] {
  return out
    .text()
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Record<string, unknown> => JSON.parse(line));
}

async function opened(settings: Partial<LogSettings> = {}, terminal = false) {
  const out = recordingOutput(terminal);
  return { out, ...(await openLogger({ level: 'info', format: 'auto', ...settings }, out)) };
}

describe('JSON lines', () => {
  it('contain level, time, message and fields, and no data of the machine', async () => {
    const { out, log } = await opened();
    log.info('listening', { port: 9916 });
    expect(lines(out)).toEqual([
      { level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), msg: 'listening', port: 9916 },
    ]);
  });

  it('keep hostile texts on one line', async () => {
    const { out, log } = await opened();
    log.warn('odd', { graph: 'a\n{"level":"error"}\u001b[2J\u061c\u200e\u202e\u2066' });
    expect(out.text().split('\n')).toHaveLength(2);
    expect(out.text().trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });

  it('contain the fields of their context, and hide secrets', async () => {
    const { out, log } = await opened();
    log
      .with({ cluster: 'prod' })
      .with({ node: 'm1' })
      .error('failed', { token: new Secret('x9'), node: 'm2' });
    expect(lines(out)).toMatchObject([{ cluster: 'prod', node: 'm2', token: '[secret]' }]);
    expect(out.text()).not.toContain('x9');
  });

  it('show errors', async () => {
    const { out, log } = await opened();
    log.error('failed', { error: new Error('why') });
    expect(lines(out)).toMatchObject([{ error: { name: 'Error', message: 'why' } }]);
  });
});

describe('the level', () => {
  it('drops lines of lower levels', async () => {
    const { out, log } = await opened({ level: 'warn' });
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
    expect(lines(out).map(({ msg }) => msg)).toEqual(['c', 'd']);
  });

  it('can change, also for loggers with a context', async () => {
    const adjustable = await opened({ level: 'error' });
    const { out, log } = adjustable;
    const child = log.with({ a: 1 });
    child.debug('before');
    adjustable.setLevel('debug');
    child.debug('after');
    expect(lines(out).map(({ msg }) => msg)).toEqual(['after']);
  });
});

describe('the format', () => {
  it('is text if configured, and on a terminal', async () => {
    for (const { out, log } of [await opened({ format: 'pretty' }), await opened({}, true)]) {
      log.info('listening', { port: 9916 });
      expect(out.text()).toMatch(/INFO.*listening/);
      expect(out.text()).toContain('9916');
      expect(() => lines(out)).toThrow(SyntaxError);
    }
  });

  it('text is one line with a time in UTC, for any fields', async () => {
    const { out, log } = await opened({ format: 'pretty' });
    const graph = 'a\nb\r\u001b[2J\u0085\u2028\u061c\u200e\u200f\u202a\u202e\u2066\u2069';
    log.error('failed', { graph, error: new Error(graph), message: graph });
    expect(out.text()).toMatch(/^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\] ERROR: failed .*\n$/);
    expect(out.text().trimEnd()).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
  });

  it('is JSON on a terminal if configured', async () => {
    const { out, log } = await opened({ format: 'json' }, true);
    log.info('listening');
    expect(lines(out)).toHaveLength(1);
  });
});

it('lines in the journal of systemd begin with their priority', async () => {
  const out = recordingOutput();
  const { log } = await openLogger({ level: 'debug', format: 'auto' }, { ...out, isJournal: true });
  log.debug('a');
  log.info('b');
  log.warn('c', { text: '<0>' });
  log.error('d');
  const prefixes = out
    .text()
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(0, line.indexOf('{')));
  expect(prefixes).toEqual(['<7>', '<6>', '<4>', '<3>']);
});
