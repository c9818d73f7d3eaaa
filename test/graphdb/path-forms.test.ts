import { describe, expect, it } from 'vitest';
import type { PathForm } from '../../src/graphdb/calls.ts';
import { createPathForms, type PathProbe, type PathProbeResult } from '../../src/graphdb/path-forms.ts';
import { FakeClock } from '../support/clock.ts';

/** Returns a probe with fixed results, and the forms that it was called with. */
function probing(found: Readonly<Record<PathForm, PathProbeResult>>): {
  readonly probe: PathProbe;
  readonly probed: PathForm[];
} {
  const probed: PathForm[] = [];
  const probe: PathProbe = async (form) => {
    probed.push(form);
    return found[form];
  };
  return { probe, probed };
}

const oldServer = { current: 'elsewhere', older: 'here' } as const;
const newServer = { current: 'here', older: 'elsewhere' } as const;

describe('a configured version', () => {
  it.each([
    ['4.1', 'current'],
    ['4.2.1', 'current'],
    ['5', 'current'],
    ['3.9', 'older'],
    ['3.10.2', 'older'],
  ] as const)('%s fixes the %s form', async (version, form) => {
    const forms = createPathForms(version, new FakeClock());
    const { probe, probed } = probing(oldServer);
    expect(forms.form('restpp')).toBe(form);
    expect(forms.isUnconfirmed('restpp')).toBe(false);
    expect(await forms.redetect('restpp', form, probe)).toBe(false);
    expect(probed).toEqual([]);
  });
});

describe('auto', () => {
  it('starts with the current form, and keeps it if the server supports it', async () => {
    const forms = createPathForms('auto', new FakeClock());
    const { probe, probed } = probing(newServer);
    expect(await forms.redetect('restpp', 'current', probe)).toBe(false);
    expect(forms.form('restpp')).toBe('current');
    expect(probed).toEqual(['current']);
  });

  it('finds the older form, of one api and not of the other', async () => {
    const forms = createPathForms('auto', new FakeClock());
    expect(await forms.redetect('restpp', 'current', probing(oldServer).probe)).toBe(true);
    expect([forms.form('restpp'), forms.form('gsql')]).toEqual(['older', 'current']);
  });

  it('detects the form once for concurrent callers, and at most once a minute', async () => {
    const clock = new FakeClock();
    const forms = createPathForms('auto', clock);
    const { probe, probed } = probing(newServer);
    const all = [1, 2, 3].map(() => forms.redetect('restpp', 'current', probe));
    expect(await Promise.all(all)).toEqual([false, false, false]);
    await forms.redetect('restpp', 'current', probe);
    expect(probed).toEqual(['current']);
    await clock.advance(60_000);
    await forms.redetect('restpp', 'current', probe);
    expect(probed).toEqual(['current', 'current']);
  });

  it('follows an upgrade, and a downgrade', async () => {
    const clock = new FakeClock();
    const forms = createPathForms('auto', clock);
    await forms.redetect('restpp', 'current', probing(oldServer).probe);
    await clock.advance(60_000);
    expect(await forms.redetect('restpp', 'older', probing(newServer).probe)).toBe(true);
    expect(forms.form('restpp')).toBe('current');
  });

  it('makes callers with the former path form retry', async () => {
    const forms = createPathForms('auto', new FakeClock());
    await forms.redetect('restpp', 'current', probing(oldServer).probe);
    const { probe, probed } = probing(oldServer);
    expect(await forms.redetect('restpp', 'current', probe)).toBe(true);
    expect(probed).toEqual([]);
  });

  it.each([
    { current: 'unclear', older: 'here' },
    { current: 'elsewhere', older: 'unclear' },
  ] as const)('is undecided for an unexpected reply: %j', async (found) => {
    const forms = createPathForms('auto', new FakeClock());
    expect(await forms.redetect('gsql', 'current', probing(found).probe)).toBe(false);
    expect(forms.isUnconfirmed('gsql')).toBe(true);
    // And is free to look again at once.
    expect(await forms.redetect('gsql', 'current', probing(oldServer).probe)).toBe(true);
  });

  it('sends no probe if paths are equal in both forms', async () => {
    const forms = createPathForms('auto', new FakeClock());
    const { probe, probed } = probing(oldServer);
    expect(await forms.redetect('informant', 'current', probe)).toBe(false);
    expect(await forms.redetect('plain', 'current', probe)).toBe(false);
    expect(probed).toEqual([]);
  });

  it('returns whether a form is confirmed', () => {
    const forms = createPathForms('auto', new FakeClock());
    expect(forms.isUnconfirmed('restpp')).toBe(true);
    forms.confirm('restpp');
    expect([forms.isUnconfirmed('restpp'), forms.isUnconfirmed('gsql')]).toEqual([false, true]);
  });
});
