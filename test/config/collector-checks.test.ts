import { describe, expect, it } from 'vitest';
import { collectors } from '../../src/collect/all.ts';
import { collectorsSection } from '../../src/collect/settings.ts';
import { unusedCollectorSettings } from '../../src/config/collector-checks.ts';

const defaults = collectorsSection(collectors).parse({});

describe('settings of a collector that is disabled by default', () => {
  it.each([
    [{ users: { interval: '1m' } }, ['users']],
    [{ users: { enabled: false, interval: '1m' } }, []],
    [{ users: {} }, []],
    [{ health: { interval: '1m' } }, []],
    [{ unknown: { interval: '1m' } }, []],
    [[], []],
  ])('have no effect: %j', (given, names) => {
    const found = unusedCollectorSettings({ collectors: given }, defaults);
    expect(found.map(({ path }) => path)).toEqual(names.map((name) => ['collectors', name]));
  });
});
