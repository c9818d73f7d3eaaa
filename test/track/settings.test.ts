import { describe, expect, it } from 'vitest';
import { trackerSection } from '../../src/track/settings.ts';
import { settings } from './tracking-harness.ts';

function complaints(given: unknown): readonly string[] {
  const read = trackerSection.safeParse(given);
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('the tracker section', () => {
  it('has defaults for every key', () => {
    expect(trackerSection.parse(undefined)).toEqual(settings);
    expect(trackerSection.parse({ flapping: {} })).toEqual(settings);
  });

  it('keeps given values', () => {
    const given = {
      confirm: 3,
      confirm_for: '10s',
      forget: '1h30m',
      flapping: { window: 11, on: 0.5, off: 0.5, changes: 5 },
    };
    expect(trackerSection.parse(given)).toEqual({
      confirm: 3,
      confirmFor: 10_000,
      forget: 5_400_000,
      flapping: { window: 11, on: 0.5, off: 0.5, changes: 5 },
    });
  });

  it.each([
    [{ confirm: 0 }, 'confirm'],
    [{ confirm: 1.5 }, 'confirm'],
    [{ confirm: '2' }, 'confirm'],
    [{ confirm_for: '-1s' }, 'confirm_for'],
    [{ confirm_for: 5 }, 'confirm_for'],
    [{ confirm_for: 'soon' }, 'confirm_for'],
    [{ forget: '0s' }, 'forget'],
    [{ flapping: { window: 2 } }, 'flapping.window'],
    [{ flapping: { on: 1.1 } }, 'flapping.on'],
    [{ flapping: { off: 0 } }, 'flapping.off'],
    [{ flapping: { on: 0.2, off: 0.3 } }, 'flapping.off'],
    [{ flapping: { on: 0.2 } }, 'flapping.off'],
    [{ confirms: 2 }, ''],
  ])('refuses %j', (given, path) => {
    const found = complaints(given);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${path}: `));
  });

  it('never repeats an invalid value', () => {
    expect(complaints({ confirm_for: 'hunter2', forget: 'hunter2' }).join()).not.toContain('hunter2');
  });
});
