import { describe, expect, it } from 'vitest';
import { reaching, reachingTests } from './reach.ts';

const files: Readonly<Record<string, string>> = {
  'test/pure.test.ts': "import { one } from '../src/one.ts';\nimport type { Server } from 'node:net';\n",
  'test/direct.test.ts': "import { readFileSync } from 'node:fs';\nimport { spawn } from 'node:child_process';\n",
  'test/far.test.ts': "import {\n  type Two,\n  two,\n} from '../src/two.ts';\n",
  'test/late.test.ts': "const three = await import('../src/three.ts');\n",
  'test/typed.test.ts': "import type { Two } from '../src/two.ts';\n",
  'src/one.ts': "import { readFileSync } from 'node:fs';\nimport { two } from './missing.ts';\n",
  'src/two.ts': "export { three } from './three.ts';\nimport './two.ts';\n",
  'src/three.ts': "import { Pool } from 'undici';\nimport { two } from './two.ts';\n",
};
const tests = Object.keys(files).filter((path) => path.startsWith('test/'));

describe('reach of a test', () => {
  it('includes sockets and processes of its imports', () => {
    expect(reaching(tests, (path) => files[path])).toEqual([
      'test/direct.test.ts',
      'test/far.test.ts',
      'test/late.test.ts',
    ]);
  });

  it('divides the tests of this project', () => {
    const all = reachingTests();
    expect(all).toEqual(expect.arrayContaining(['test/e2e/demo.test.ts', 'test/runtime/listener.test.ts']));
    expect(all).not.toContain('test/kernel/result.test.ts');
    expect(all).not.toContain('test/support/reach.test.ts');
  });
});
