import { abortFromOnePlace } from '../acts.ts';
import { alone, type Trial } from './trial.ts';

const imported = `import { createAbortCall } from './abort-call.ts';`;

/** Trials of the rule about the one call that can do harm. */
export const actsTrials: readonly Trial[] = [
  {
    rule: abortFromOnePlace,
    bad: [
      ...alone(
        'src/graphdb/caller.ts',
        imported,
        `import type { AbortCall } from './abort-call.ts';`,
        `await import('./abort-call.ts');`,
        `type Call = import('./abort-call.ts').AbortCall;`,
        `export { createAbortCall } from './abort-call.ts';`,
      ),
      ...alone('src/app/a.ts', `import { isAbortPath } from '../graphdb/abort-call.ts';`),
      ...alone('bench/a.ts', `import { createAbortCall } from '../src/graphdb/abort-call.ts';`),
      ...alone('src/graphdb/calls.ts', `export const path = '/abortquery/{graph}';`, `// As abortquery does.`),
      ...alone('src/graphdb/connect.ts', `const path = '/abortquery/fraud';`),
      ...alone('src/guard/decision/output.ts', 'export const path = (graph: string) => `/abortquery/${graph}`;'),
    ],
    good: [
      ...alone('src/graphdb/connect.ts', imported),
      ...alone('test/graphdb/a.ts', `import { isAbortPath } from '../../src/graphdb/abort-call.ts';`),
      ...alone('src/app/a.ts', `import type { AbortReply } from '../graphdb/abort-reply.ts';`),
      ...alone('src/graphdb/abort-call.ts', `const path = '/abortquery/';`),
      ...alone('src/guard/decision/abort-path.ts', `const path = '/abortquery/';`),
      ...alone('src/simulator/routes.ts', `const path = '/restpp/abortquery/{graph}';`),
      ...alone('src/app/b.ts', `export const abort = 'query';`),
    ],
  },
];
