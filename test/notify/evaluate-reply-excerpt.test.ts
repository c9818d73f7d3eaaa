import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../../src/kernel/http.ts';
import { bodyText, evaluateReply, secretUrlParts } from '../../src/notify/evaluate-reply.ts';
import { alertsNotification } from '../support/notifications.ts';

function reply(text: string, type = 'text/plain'): HttpReply {
  return { status: 400, headers: { 'content-type': type }, body: new TextEncoder().encode(text) };
}

function excerptOf(given: HttpReply, hidden: readonly string[] = []): string {
  const result = evaluateReply(given, { request: alertsNotification(), now: 0, hidden });
  return 'message' in result ? result.message.replace(/^the receiver replied with status 400(: )?/, '') : '';
}

describe('the excerpt of a reply', () => {
  it('is the beginning of the body as one line', () => {
    expect(excerptOf(reply('no\n such \u0007 key'))).toBe('no such key');
    expect(excerptOf(reply('x'.repeat(1000)))).toHaveLength(200);
    expect(excerptOf(reply(''))).toBe('');
  });

  it('never contains a hidden text, not even the part before the cut', () => {
    expect(excerptOf(reply('key s3cret is not s3cret'), ['', 's3cret'])).toBe('key [secret] is not [secret]');
    expect(excerptOf(reply(`${'x'.repeat(197)}s3cret`), ['s3cret'])).not.toContain('s3');
  });

  it('is empty for an HTML page', () => {
    expect(excerptOf(reply('<html>', 'Text/HTML'))).toBe('');
  });

  it('treats long parts of a path and of a query as secrets', () => {
    const parts = ['/hooks/T012345678/a', '?q=1234%2056789', 'T012345678', '1234%2056789', '1234 56789'];
    expect(secretUrlParts('https://x.test/hooks/T012345678/a?q=1234%2056789')).toEqual(parts);
    expect(secretUrlParts('https://x.test/')).toEqual([]);
  });

  it('decodes a body that is not valid UTF-8', () => {
    expect(bodyText({ ...reply(''), body: Uint8Array.of(0x61, 0xff) })).toBe('a\uFFFD');
  });
});
