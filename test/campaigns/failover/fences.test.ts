import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findingKinds } from '../../../campaigns/failover/evidence.ts';
import { fenceNamed, fences } from '../../../campaigns/failover/fences.ts';
import { edited, leaseEdit } from '../../../campaigns/failover/program.ts';

const edits = [...fences, { name: 'length of a lease', edits: [leaseEdit(4000)] }].flatMap((fence) =>
  fence.edits.map((edit) => [fence.name, edit] as const),
);

describe('fences', () => {
  it.each(edits)('are in the source: %s', (_, edit) => {
    const changed = edited(readFileSync(edit.file, 'utf8'), edit);
    expect(changed).toContain(edit.replacement);
    expect(changed).not.toContain(edit.text);
  });

  it('have names, faults and findings', () => {
    for (const { name, faults, shownBy } of fences) {
      expect(fenceNamed(name).faults).toBe(faults);
      expect(findingKinds).toEqual(expect.arrayContaining([...shownBy]));
    }
    expect(() => fenceNamed('wall')).toThrow("no fence 'wall'; one of commit, ");
  });
});

describe('edited', () => {
  const edit = { file: 'a.ts', text: 'if (isOwned)', replacement: 'if (true)' };

  it('rejects a source without the text, and one that has it twice', () => {
    expect(() => edited('', edit)).toThrow("a.ts: has the text 'if (isOwned)' 0 times");
    expect(() => edited('if (isOwned) if (isOwned)', edit)).toThrow('2 times');
  });
});
