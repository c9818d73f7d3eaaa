import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { reachingTests } from './test/support/reach.ts';
import { repeatedTests } from './test/support/repeated-tests.ts';

/** Tests that run only in the campaign: they simulate hours. */
const hours: readonly string[] = ['test/e2e/rules/differential-hours.test.ts'];

/** Tests of `vitest.campaign.config.ts`: those that simulate hours, and randomized tests with a longer form. */
export const campaigns: readonly string[] = [
  ...hours,
  ...globSync('test/**/*.test.ts').filter((path) => readFileSync(path, 'utf8').includes('/support/campaign.ts')),
];

/** Tests of `vitest.cluster.config.ts` and of `vitest.replicas.config.ts`. */
const elsewhere = globSync(['test/cluster/**/*.test.ts', 'test/replicas/**/*.test.ts']);

const reaching = reachingTests().filter((path) => !hours.includes(path) && !elsewhere.includes(path));
// Limits for tests that hang: on a busy machine a test may take many times its usual time. Only longer tests set their own.
const timeouts = { testTimeout: 300_000, hookTimeout: 300_000 };

// Workers and the programs that tests start read compiled code from here: a daemon starts in a third of the time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'compiled');

/**
 * Node runs the files itself, as it runs the program: without the transformation of vite, which costs time and makes each
 * imported name slower. The tests mock no module, which is what the transformation is for.
 */
export const experimental = { viteModuleRunner: false, nodeLoader: false } as const;

/** More room for young objects than usual: collecting them takes a twentieth of the processor time otherwise. */
export const execArgv: string[] = ['--max-semi-space-size=64'];

/**
 * Programs in Go (helm, promtool, prometheus) mostly run for a moment: garbage collection and threads cost more time than
 * they save.
 */
export const goSettings = { GOGC: 'off', GOMEMLIMIT: '512MiB', GOMAXPROCS: '1' } as const;

/** Files that take long, longest first: some compute, and others wait for real time to pass. */
const longest: readonly string[] = [
  'test/e2e/dashboards.test.ts',
  'test/e2e/dashboard-outages.test.ts',
  'test/e2e/guides.test.ts',
  'test/e2e/rules/differential.test.ts',
  'test/image/image.test.ts',
  'test/e2e/status-page.test.ts',
  'test/e2e/scenario-agreement.test.ts',
  'test/e2e/large-replies.test.ts',
  'test/e2e/rejected-config.test.ts',
  'test/examples/packaging/packages.test.ts',
  'test/e2e/terminal.test.ts',
  'test/e2e/alert-delivery.test.ts',
  'test/e2e/rules/rules.test.ts',
  'test/e2e/faults.test.ts',
  'test/e2e/evil-node.test.ts',
  'test/examples/packaging/systemd.test.ts',
  'test/e2e/lifecycle.test.ts',
  'test/e2e/bad-server.test.ts',
  'test/e2e/examples.test.ts',
  'test/e2e/guard-frozen.test.ts',
  'test/e2e/truth.test.ts',
  'test/app/create-app.test.ts',
  'test/e2e/status-page-faults.test.ts',
  'test/e2e/reload.test.ts',
  'test/e2e/slow-disk.test.ts',
  'test/main.test.ts',
  'test/e2e/incident-outputs.test.ts',
  'test/e2e/pages-per-cause.test.ts',
  'test/tools/build/executable.test.ts',
  'test/tools/build/executable-arm64.test.ts',
  'test/e2e/evil-node-aborts.test.ts',
  'test/e2e/guard-crash.test.ts',
  'test/e2e/storm.test.ts',
  'test/e2e/operator-access.test.ts',
  'test/e2e/api-answers.test.ts',
  'test/e2e/discovery.test.ts',
  'test/e2e/tracing-off.test.ts',
  'test/e2e/guard-flight-recorder.test.ts',
  'test/e2e/sidecar.test.ts',
  'test/helm/values-read.test.ts',
  'test/e2e/crash.test.ts',
  'test/runtime/postgres/pooler.test.ts',
  'test/e2e/guard-notifications.test.ts',
  'test/e2e/guard-races.test.ts',
  'test/helm/validators.test.ts',
  'test/e2e/incident-traces.test.ts',
  'test/e2e/guard-replies.test.ts',
  'test/e2e/guard-proxy.test.ts',
  'test/e2e/timeline.test.ts',
  'test/helm/secrets.test.ts',
  'test/architecture.test.ts',
];

/** Starts the longest files first, so that no worker is idle at the end. */
export function longestFirst(paths: readonly string[]): typeof BaseSequencer {
  const rank = ({ moduleId }: TestSpecification): number => {
    const found = paths.findIndex((path) => moduleId.endsWith(`/${path}`));
    return found === -1 ? paths.length : found;
  };
  return class extends BaseSequencer {
    override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return Promise.resolve(files.toSorted((one, other) => rank(one) - rank(other)));
    }
  };
}

export default defineConfig({
  test: {
    reporters: ['default', repeatedTests],
    sequence: { sequencer: longestFirst(longest) },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...reaching, ...hours, ...elsewhere],
          // Tests without sockets and processes leave nothing behind: files share a worker and its imported modules.
          isolate: false,
          maxWorkers: '100%',
          execArgv,
          experimental,
          sequence: { groupOrder: 1 },
          ...timeouts,
        },
      },
      {
        test: {
          name: 'integration',
          include: reaching,
          globalSetup: ['test/support/build-program.ts'],
          env: goSettings,
          // Tests clean up after themselves, and importing the project costs more than most files.
          isolate: false,
          // These tests wait for processes and sockets longer than they compute.
          maxWorkers: 6,
          // Programs such as a browser or a database sometimes stall on a busy machine. The reporter names repeated tests.
          retry: 1,
          execArgv,
          experimental,
          sequence: { groupOrder: 2 },
          ...timeouts,
        },
      },
    ],
    coverage: { provider: 'v8', include: ['src/**'] },
  },
});
