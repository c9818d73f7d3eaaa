import { describe, expect, it } from 'vitest';
import { stateDirField, stateSection } from '../../src/config/schema.ts';

const day = 86_400_000;

describe('the state section', () => {
  it('has defaults for every key', () => {
    const retention = { transitions: 400 * day, audit: 400 * day, notifications: 30 * day, size: 2 * 2 ** 30 };
    expect(stateSection.parse({})).toEqual({ retention });
    expect(stateSection.parse({ retention: { size: '16MiB' } }).retention.size).toBe(2 ** 24);
  });

  it.each([
    [{ size: '15MiB' }, 'must be 16MiB or more'],
    [{ size: 'much' }, 'is not a size'],
    [{ transitions: '0s' }, 'must be longer than 0s'],
    [{ audit: 'always' }, 'is not a duration'],
    [{ forever: true }, 'forever'],
  ])('refuses %j', (retention, complaint) => {
    const parsed = stateSection.safeParse({ retention });
    expect(JSON.stringify(parsed.error?.issues)).toContain(complaint);
  });

  it('rejects an invalid directory', () => {
    for (const wrong of ['', 'a\nb', 'a\0b']) expect(stateDirField.safeParse(wrong).success).toBe(false);
    expect(stateDirField.parse('./state')).toBe('./state');
  });
});
