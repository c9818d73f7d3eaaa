import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { findTool } from './support/tools.ts';

const step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});
const permissions = z.record(z.string(), z.enum(['read', 'write', 'none']));
const job = z.object({
  uses: z.string().optional(),
  steps: z.array(step).default([]),
  permissions: permissions.optional(),
  needs: z.union([z.string(), z.array(z.string())]).optional(),
  environment: z.string().optional(),
  container: z.unknown().optional(),
  'timeout-minutes': z.number().optional(),
});
const workflow = z.object({ on: z.record(z.string(), z.unknown()), permissions, jobs: z.record(z.string(), job) });

const files = globSync('.github/workflows/*.yml').map((path) => {
  const text = readFileSync(path, 'utf8');
  return { name: basename(path), text, ...workflow.parse(parse(text)) };
});
const jobs = files.flatMap((file) => Object.entries(file.jobs).map(([name, one]) => ({ file, name, one })));
const actionlint = findTool('actionlint');
const of = (name: string) => files.find((file) => file.name === name) ?? expect.fail(`no ${name}`);

describe('each workflow', () => {
  it.each(files)(
    '$name has read permissions only, and runs no code of a pull request with more permissions',
    (file) => {
      expect(file.permissions).toEqual({ contents: 'read' });
      expect(Object.keys(file.on)).not.toContain('pull_request_target');
      expect(Object.keys(file.on)).not.toContain('workflow_run');
      const isOfPullRequests = 'pull_request' in file.on;
      const rights = Object.values(file.jobs).flatMap((one) => Object.values(one.permissions ?? {}));
      if (isOfPullRequests) expect(rights).not.toContain('write');
      if (isOfPullRequests) expect(file.text).not.toMatch(/\bsecrets\b|github\.token/);
    },
  );

  it.each(jobs)('$file.name: $name uses actions by their commit, with the version in a comment', ({ file, one }) => {
    for (const { uses } of one.steps) {
      if (uses === undefined) continue;
      expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
      expect(file.text).toMatch(new RegExp(`uses: ${uses} # v\\d+\\.\\d+\\.\\d+\\n`));
    }
    if (one.uses !== undefined) expect(one.uses).toMatch(/^\.\/\.github\/workflows\//);
  });

  it.each(jobs)('$file.name: $name keeps no token in the checkout, and has a timeout', ({ one }) => {
    const checkouts = one.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.filter((checkout) => checkout.with?.['persist-credentials'] !== false)).toEqual([]);
    if (one.uses === undefined) expect(one['timeout-minutes']).toBeGreaterThan(0);
  });

  it.each(jobs)('$file.name: $name inserts no expression into a script', ({ one }) => {
    expect(one.steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
  });
});

describe.skipIf(actionlint === undefined)('actionlint', () => {
  it('has no findings in the workflows', () => {
    expect(lint([])).toBe('');
  });

  it('reports an unknown context', () => {
    const text = of('release.yml').text.replace('matrix.runner', 'steps.runner');
    expect(lint(['-'], text)).toContain('context "steps" is not allowed here');
  });
});

/** Returns what actionlint finds. Shell scripts of steps are not checked: they would depend on the programs of the machine. */
function lint(which: readonly string[], input = ''): string {
  const args = ['-no-color', '-shellcheck=', '-pyflakes=', ...which];
  const { stdout, stderr, error } = spawnSync(actionlint ?? '', args, { input, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return stdout + stderr;
}

describe('a job in a container', () => {
  it('marks the checkout of another user as safe for git', () => {
    for (const { one } of jobs.filter(({ one: { container } }) => container !== undefined)) {
      const steps = one.steps.map(({ uses, run }) => uses ?? run ?? '');
      const checkout = steps.findIndex((text) => text.startsWith('actions/checkout@'));
      expect(steps[checkout + 1]).toBe('git config --global --add safe.directory "$GITHUB_WORKSPACE"');
    }
    expect(of('ci.yml').jobs.run?.container).toBeDefined();
  });
});

it('the checks are those of .ci/run', () => {
  expect(Object.values(of('ci.yml').jobs).flatMap((one) => one.steps.map(({ run }) => run))).toContain('.ci/run');
});

describe('the release', () => {
  it('begins with a tag, after all checks', () => {
    const { on, jobs: steps } = of('release.yml');
    expect(on).toEqual({ push: { tags: ['v[0-9]*'] } });
    expect(steps.checks?.uses).toBe('./.github/workflows/ci.yml');
    expect([steps.files?.needs, steps.publish?.needs]).toEqual(['checks', 'files']);
  });

  it('grants permissions only to the publishing job, in an environment that can require a review', () => {
    const { checks, files: built, publish } = of('release.yml').jobs;
    expect([checks?.permissions, built?.permissions]).toEqual([undefined, undefined]);
    expect(publish?.environment).toBe('release');
    expect(publish?.permissions).toEqual({
      contents: 'write',
      packages: 'write',
      'id-token': 'write',
      attestations: 'write',
    });
  });

  it('uses no cache, which another workflow could have filled', () => {
    const { text } = of('release.yml');
    expect(text).not.toContain('actions/cache@');
    expect(text.match(/actions\/setup-node@/g)).toHaveLength(2);
    expect(text.match(/package-manager-cache: false/g)).toHaveLength(2);
    expect(text.match(/ cache: false/g)).toHaveLength(2);
  });

  it('calls scripts and tests that exist', () => {
    const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(readJson('package.json'));
    const called = files.flatMap(({ text }) => [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name));
    expect(called).toContain('release');
    expect(called.filter((name) => scripts[name] === undefined)).toEqual([]);
    const tests = files.flatMap(({ text }) => [...text.matchAll(/npm test -- (\S+)/g)].map(([, path = '']) => path));
    expect(tests.map((path) => existsSync(path))).toEqual([true]);
  });
});

it('advisories are checked every day', () => {
  const { on, jobs: steps } = of('advisories.yml');
  expect(on).toHaveProperty('schedule');
  expect(Object.values(steps).flatMap((one) => one.steps.map(({ run }) => run))).toContain(
    'npm audit --package-lock-only --omit=dev',
  );
});

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
