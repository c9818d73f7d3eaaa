import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { receiver } from '../../src/notify/receiver.ts';

const unit = receiver({
  kind: 'pigeon',
  about: 'Carrier pigeon.',
  connection: 'tls',
  fields: { loft: z.string().describe('Name of the loft.') },
  secrets: {
    ring: { about: 'Number of the ring.', optional: true, example: 'RING', exampleFile: '/run/secrets/ring' },
  },
  traits: { maxBatch: 1, minInterval: 0, acceptsDigests: false, isLevelTriggered: false },
  check: ({ loft }, secrets) => (loft === 'closed' && secrets.has('ring') ? 'a closed loft needs no ring' : undefined),
  open: () => expect.fail('not opened here'),
});

function problemOf(given: object): string | undefined {
  return unit.section.safeParse(given).error?.issues[0]?.message;
}

describe('the section of a receiver', () => {
  it('separates options and secrets', () => {
    expect(unit.section.parse({ loft: 'north', ring_file: 'r' })).toEqual({
      kind: 'pigeon',
      options: { loft: 'north' },
      secrets: { ring: { file: 'r' } },
    });
    expect(unit.section.parse({ loft: 'north' }).secrets).toEqual({});
  });

  it('rejects a secret from two sources, and settings that the declaration rejects', () => {
    expect(problemOf({ loft: 'north', ring: '1', ring_file: 'r' })).toBe('takes one of ring and ring_file');
    expect(problemOf({ loft: 'closed', ring: '1' })).toBe('a closed loft needs no ring');
  });
});
