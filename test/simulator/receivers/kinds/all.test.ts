import { expect, it } from 'vitest';
import { kinds } from '../../../../src/simulator/receivers/kinds/all.ts';
import { receiverKinds } from '../../../../src/simulator/receivers/letter.ts';
import { night } from '../letters.ts';

it('has every kind, and each begins its path with its address', () => {
  expect(Object.keys(kinds)).toEqual([...receiverKinds]);
  for (const { address, path } of Object.values(kinds)) expect(path.startsWith(address)).toBe(true);
});

it.each(Object.entries(kinds))('%s survives whatever is sent to it', (_, kind) => {
  for (const body of ['', 'null', '[]', '{}', '[null]', '"text"', '{"alerts":null}', '\u0000']) {
    const { reply, kept } = kind.take(body, night);
    expect([200, 400]).toContain(reply.status);
    expect(kept).toEqual([]);
  }
});
