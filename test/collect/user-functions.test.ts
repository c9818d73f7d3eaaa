import { describe, expect, it } from 'vitest';
import { userFunctions } from '../../src/collect/user-functions.ts';
import { ok } from '../../src/kernel/result.ts';
import type { CodeItem, UserFunctions } from '../../src/model/functions.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

const digest = 'ffffffffffff0123456789';

function facts(more: Partial<UserFunctions> = {}): UserFunctions {
  return { digests: [], items: [], counts: {}, ...more };
}

function item(list: CodeItem['list'], name: string, ...parts: readonly string[]): CodeItem {
  return { list, name, parts };
}

describe('user_functions', () => {
  it('shows a number for the content of each file, and counts functions and tuples', async () => {
    const { error, lines } = await pollOnce(userFunctions, {
      userFunctions: ok(
        facts({
          digests: [
            { code: 'ExprFunctions', digest },
            { code: 'TokenBank', digest: '' },
          ],
          counts: { library: 3, tuples: 0 },
          items: [item('library', 'a'), item('library', 'b'), item('library', 'c')],
        }),
      ),
    });
    expect(error).toBeUndefined();
    expect(lines).toEqual([
      `graphdb_function_code_digest{code="ExprFunctions"} ${2 ** 48 - 1}`,
      'graphdb_function_code_digest{code="TokenBank"} 0',
      'graphdb_functions{kind="library"} 3',
      'graphdb_functions{kind="tuples"} 0',
      'graphdb_functions_uncompared 0',
    ]);
  });

  it('counts the functions that are not compared', async () => {
    const { lines } = await pollOnce(userFunctions, {
      userFunctions: ok(facts({ counts: { library: 10_000 }, items: [item('library', 'a')] })),
    });
    expect(lines.at(-1)).toBe('graphdb_functions_uncompared 9999');
  });

  it('reports files, functions and tuples that were added, removed or changed', () => {
    const inventory = userFunctions.inventory ?? expect.fail('no inventory');
    const before = facts({
      digests: [
        { code: 'ExprFunctions', digest },
        { code: 'ExprUtil', digest: '' },
        { code: 'library', digest: 'a' },
      ],
      items: [item('library', 'algo.wcc', 'sha256 a'), item('tuples', 'Pair', 'n INT')],
    });
    const after = facts({
      digests: [
        { code: 'ExprFunctions', digest: '000000000000ff' },
        { code: 'ExprUtil', digest },
        { code: 'library', digest: 'b' },
      ],
      items: [item('library', 'algo.wcc', 'sha256 b'), item('tuples', '"x\n<b>')],
    });
    expect(inventory.objects).toEqual(['function_file', 'library_function', 'tuple']);
    const found = [...inventory.changes(before, after)].map((one) => [one.object, one.change, one.name, one.detail]);
    expect(found).toEqual([
      ['function_file', 'changed', 'ExprFunctions', '-sha256 ffffffffffff, +sha256 000000000000'],
      ['function_file', 'added', 'ExprUtil', ''],
      ['library_function', 'changed', 'algo.wcc', '-sha256 a, +sha256 b'],
      ['tuple', 'added', '"x\n<b>', ''],
      ['tuple', 'removed', 'Pair', ''],
    ]);
  });

  it.each(['unsupported', 'auth'] as const)('returns the failure %s unchanged', async (reason) => {
    const { error, lines } = await pollOnce(userFunctions, { userFunctions: failed(reason) });
    expect([error?.reason, lines]).toEqual([reason, []]);
  });
});
