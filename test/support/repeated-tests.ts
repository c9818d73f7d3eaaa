import type { Reporter, TestModule } from 'vitest/node';

/** Vitest reporter that lists the tests that failed and then passed: they wait for too little, or the program has a race. */
export const repeatedTests: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const repeated = modules.flatMap(({ relativeModuleId, children }) =>
      [...children.allTests('passed')]
        .filter((test) => test.diagnostic()?.flaky === true)
        .map(({ fullName }) => `  ${relativeModuleId}: ${fullName}\n`),
    );
    if (repeated.length > 0) process.stdout.write(`passed at the second attempt:\n${repeated.join('')}`);
  },
};
