import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Fence, fences, withoutFence } from '../../../campaigns/failover/fences.ts';

const fence: Fence = { name: 'a', about: '', file: 'a.ts', text: 'if (isOwned)', replacement: 'if (true)' };

describe('withoutFence', () => {
  it.each(fences.map((one) => [one.name, one] as const))('removes the fence %s from its source', (_, one) => {
    const source = readFileSync(one.file, 'utf8');
    const changed = withoutFence(source, one);
    expect(changed).toContain(one.replacement);
    expect(changed).not.toContain(one.text);
  });

  it('rejects a source without the text, and one that has it twice', () => {
    expect(() => withoutFence('', fence)).toThrow("a.ts: has the text of the fence 'a' 0 times");
    expect(() => withoutFence('if (isOwned) if (isOwned)', fence)).toThrow('2 times');
  });
});
