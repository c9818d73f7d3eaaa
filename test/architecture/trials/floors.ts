import { avoidCycles, importPackagesAtTheEdge, respectFloors } from '../floors.ts';
import { alone, type Trial } from './trial.ts';

/** Trials of the rules about imports. */
export const floorsTrials: readonly Trial[] = [
  {
    rule: respectFloors,
    bad: [
      ...alone('src/kernel/a.ts', `import type { B } from '../model/b.ts';`),
      ...alone('src/collect/a.ts', `import { b } from '../expose/b.ts';`, `await import('../app/b.ts');`),
      ...alone('src/app/a.ts', `import { b } from '../runtime/b.ts';`, `type A = import('../cli/b.ts').B;`),
      ...alone('src/simulator/a.ts', `import type { B } from '../graphdb/b.ts';`),
      ...alone('src/app/a.ts', `import { b } from '../../test/support/b.ts';`, `import p from '../../package.json';`),
      ...alone('src/elsewhere/a.ts', `import { b } from '../kernel/b.ts';`),
    ],
    good: [
      ...alone('src/collect/a.ts', `import { b } from './b.ts';`, `import type { B } from '../graphdb/b.ts';`),
      ...alone('src/main.ts', `import { b } from './runtime/b.ts';`, `import p from '../package.json';`),
      ...alone('test/kernel/a.ts', `import { b } from '../../src/main.ts';`),
    ],
  },
  {
    rule: importPackagesAtTheEdge,
    bad: [
      ...alone('src/kernel/a.ts', `import { z } from 'zod';`, `import type { Buffer } from 'node:buffer';`),
      ...alone('src/collect/a.ts', `import { gzipSync } from 'node:zlib';`, `import cron from 'node-cron';`),
      ...alone('src/app/a.ts', `import { request } from 'undici';`, `await import('prom-client');`),
      ...alone(
        'src/expose/a.ts',
        `import { readFile } from 'node:fs/promises';`,
        `import left from '@scope/left-pad';`,
      ),
    ],
    good: [
      ...alone('src/expose/a.ts', `import { gzipSync } from 'node:zlib';`, `import { z } from 'zod';`),
      ...alone('src/runtime/a.ts', `import { request } from 'undici';`, `import { createServer } from 'node:http';`),
      ...alone('src/config/a.ts', `import { parseDocument } from 'yaml';`),
    ],
  },
  {
    rule: avoidCycles,
    bad: [
      {
        'src/model/a.ts': `import type { B } from './b.ts';`,
        'src/model/b.ts': `import type { C } from './c.ts';`,
        'src/model/c.ts': `import type { A } from './a.ts';`,
      },
    ],
    good: [
      {
        'src/model/a.ts': `import type { B } from './b.ts'; import type { C } from './c.ts';`,
        'src/model/b.ts': `import type { C } from './c.ts';`,
        'src/model/c.ts': `type C = 1;`,
      },
    ],
  },
];
