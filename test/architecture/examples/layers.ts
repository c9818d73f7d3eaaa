import { avoidCycles, importPackagesAtTheEdge, respectLayers } from '../layers.ts';
import { type RuleExample, singleFileProjects } from './example.ts';

/** Examples of the rules about imports. */
export const layerExamples: readonly RuleExample[] = [
  {
    rule: respectLayers,
    bad: [
      ...singleFileProjects('src/kernel/a.ts', `import type { B } from '../model/b.ts';`),
      ...singleFileProjects('src/collect/a.ts', `import { b } from '../expose/b.ts';`, `await import('../app/b.ts');`),
      ...singleFileProjects(
        'src/app/a.ts',
        `import { b } from '../runtime/b.ts';`,
        `type A = import('../cli/b.ts').B;`,
      ),
      ...singleFileProjects('src/simulator/a.ts', `import type { B } from '../graphdb/b.ts';`),
      ...singleFileProjects(
        'src/app/a.ts',
        `import { b } from '../../test/support/b.ts';`,
        `import p from '../../package.json';`,
      ),
      ...singleFileProjects('src/elsewhere/a.ts', `import { b } from '../kernel/b.ts';`),
    ],
    good: [
      ...singleFileProjects(
        'src/collect/a.ts',
        `import { b } from './b.ts';`,
        `import type { B } from '../graphdb/b.ts';`,
      ),
      ...singleFileProjects('src/main.ts', `import { b } from './runtime/b.ts';`, `import p from '../package.json';`),
      ...singleFileProjects('test/kernel/a.ts', `import { b } from '../../src/main.ts';`),
    ],
  },
  {
    rule: importPackagesAtTheEdge,
    bad: [
      ...singleFileProjects(
        'src/kernel/a.ts',
        `import { z } from 'zod';`,
        `import type { Buffer } from 'node:buffer';`,
      ),
      ...singleFileProjects(
        'src/collect/a.ts',
        `import { gzipSync } from 'node:zlib';`,
        `import cron from 'node-cron';`,
      ),
      ...singleFileProjects('src/app/a.ts', `import { request } from 'undici';`, `await import('prom-client');`),
      ...singleFileProjects(
        'src/expose/a.ts',
        `import { readFile } from 'node:fs/promises';`,
        `import left from '@scope/left-pad';`,
      ),
    ],
    good: [
      ...singleFileProjects('src/expose/a.ts', `import { gzipSync } from 'node:zlib';`, `import { z } from 'zod';`),
      ...singleFileProjects(
        'src/runtime/a.ts',
        `import { request } from 'undici';`,
        `import { createServer } from 'node:http';`,
      ),
      ...singleFileProjects('src/config/a.ts', `import { parseDocument } from 'yaml';`),
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
