import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findTool } from '../support/tools.ts';
import { allValues } from './all-values.ts';
import { chart, helm, renderAll, rendering, valueFile, valueFiles } from './chart.ts';
import { statefulSet, tidyDatabase } from './database.ts';
import { clustersOf, fragmentsOf, joined } from './fragments.ts';

const validate = findTool('kubectl-validate');
const definitions = findTool('crds');
const linter = findTool('kube-linter');
const score = findTool('kube-score');
const folder = mkdtempSync(join(tmpdir(), 'graphwarden-chart-'));
const modes = [
  ['deployment', { mode: 'deployment' }],
  ['sidecar', { mode: 'sidecar' }],
] as const;

const writable = { securityContext: { readOnlyRootFilesystem: false } };
const unlimited = { resources: { limits: null } };
/** Value files, and a version of Kubernetes that changes nothing in what is made of them. */
const alike = [
  ['sidecar', '1.30.0'],
  ['defaults', '1.27.0'],
  ['availability', '1.27.0'],
] as const;

/** Values of a file. Passwords of created users would differ. */
function withoutUsers(file: string): object {
  return { ...parse(readFileSync(valueFile(file), 'utf8')), web: { createUsers: false } };
}

beforeAll(() => renderAll([allValues, writable, unlimited, ...modes.map(([, values]) => values)]));
afterAll(() => rmSync(folder, { recursive: true }));

function ran(program: string | undefined, args: readonly string[]): { readonly status: number; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(program ?? '', args, { encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
  return { status: status ?? -1, said: `${stdout}${stderr}` };
}

/** Expects that the schemas of a version of Kubernetes accept every object of the files. */
function expectValid(version: string, files: readonly string[]): void {
  const args = ['--version', version, '--local-crds', definitions ?? '', ...files];
  const { status, said } = ran(validate, args);
  expect(said).not.toMatch(/ERROR|error/);
  expect(said.match(/OK/g)).toHaveLength(files.length);
  expect(status).toBe(0);
}

/** Whether Kubernetes 1.27 does not take the objects of a value file, or takes others: it knows no native sidecars. */
function isSpecial(file: string): boolean {
  return /^(?:extras|sidecar)/.test(file);
}

/** Puts manifests where a program can read them. */
function written(name: string, text: string): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, text);
  return file;
}

describe.skipIf([helm, validate, definitions].includes(undefined))('the schemas of Kubernetes', () => {
  it.each(['1.27', '1.30', '1.35'])('accept every object of every value file, in %s', (version) => {
    const made = valueFiles.filter((file) => version !== '1.27' || !isSpecial(file));
    const files = made.map((file) => written(`${file}-${version}`, rendering({ file }).text));
    expectValid(version, [...files, written(`everything-${version}`, rendering({ values: allValues }).text)]);
  });

  it('check objects that are equal for these versions: templates only distinguish 1.27 and 1.29', () => {
    const templates = readdirSync(join(chart, 'templates'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(?:yaml|tpl|txt)$/.test(name),
    );
    const text = templates.map((name) => readFileSync(join(chart, 'templates', name), 'utf8')).join('\n');
    expect(text.match(/.*\bCapabilities\b(?!\.KubeVersion\.Version\b).*/g)).toBeNull();
    expect(new Set(text.match(/semverCompare "[^"]*"/g))).toEqual(
      new Set(['semverCompare ">=1.27.0-0"', 'semverCompare ">=1.29.0-0"']),
    );
    for (const [file, kubernetes] of alike) {
      const values = withoutUsers(file);
      expect(rendering({ values, kubernetes }).text, file).toBe(rendering({ values, kubernetes: '1.35.0' }).text);
    }
  });

  it('accept a StatefulSet with the sidecar of each value file', () => {
    const files = valueFiles.filter((file) => file.startsWith('sidecar'));
    const sets = files.flatMap((file) => {
      const made = rendering({ file });
      return clustersOf(made).flatMap((cluster) => {
        const { statefulSet: native, kustomize, operator } = fragmentsOf(made, cluster);
        return [native, kustomize, operator].map((fragment, at) =>
          written(`set-${file}-${cluster}-${at}`, statefulSet(joined(tidyDatabase, fragment))),
        );
      });
    });
    expect(sets.length).toBeGreaterThanOrEqual(3 * files.length);
    expectValid('1.35', sets);
  });

  it('reject a misspelt field', () => {
    const file = written(
      'misspelt',
      rendering({ file: 'defaults' }).text.replace('readOnlyRootFilesystem', 'readOnlyRoot'),
    );
    expect(ran(validate, ['--version', '1.35', file]).status).not.toBe(0);
  });
});

describe.skipIf(helm === undefined || linter === undefined)('kube-linter', () => {
  it.each(modes)('has no findings with defaults in the mode %s', (mode, values) => {
    const { status, said } = ran(linter, ['lint', written(`lint-${mode}`, rendering({ values }).text)]);
    expect(said).toContain('No lint errors found!');
    expect(status).toBe(0);
  });

  it('has no findings in the objects of the chart, or in a StatefulSet with a sidecar', () => {
    // Containers and an account of the user's own are the user's.
    const files = valueFiles.filter((file) => !['extras', 'pod'].includes(file));
    const renderings = files.map((file) => written(`lint-${file}`, rendering({ file }).text));
    const { statefulSet: native, operator } = fragmentsOf(rendering({ file: 'sidecar' }), 'graph');
    const sets = [native, operator].map((fragment, at) =>
      written(`lint-set-${at}`, statefulSet(joined(tidyDatabase, fragment))),
    );
    expect(ran(linter, ['lint', ...renderings, ...sets]).said).toContain('No lint errors found!');
  });

  it('finds a container that writes to its root', () => {
    const { text } = rendering({ values: writable });
    expect(ran(linter, ['lint', written('lint-bad', text)]).said).toContain('no-read-only-root-fs');
  });
});

describe.skipIf(helm === undefined || score === undefined)('kube-score', () => {
  it.each(modes)('has no findings with defaults in the mode %s', (mode, values) => {
    const { status, said } = ran(score, [
      'score',
      '--output-format',
      'ci',
      written(`score-${mode}`, rendering({ values }).text),
    ]);
    const lines = said.trim().split('\n');
    expect(lines.filter((line) => !/^\[(?:OK|SKIPPED)\]/.test(line))).toEqual([]);
    expect(lines.length).toBeGreaterThan(20);
    expect(status).toBe(0);
  });

  it('has no ignore annotations in the chart', () => {
    expect(rendering({ values: allValues }).text).not.toMatch(/kube-score\/ignore|ignore-check\.kube-linter/);
  });

  it('finds a container without limits', () => {
    const { text } = rendering({ values: unlimited });
    expect(ran(score, ['score', '--output-format', 'ci', written('score-bad', text)]).said).toContain('[CRITICAL]');
  });
});
