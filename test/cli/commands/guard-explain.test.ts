import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { testPorts } from '../../support/cli-ports.ts';

const cluster = 'clusters: [{ name: prod, nodes: [{ name: m1, url: "http://10.0.0.1:14240" }] }]';
const policy = '{ name: runaway, mode: enforce, when: { query: "adhoc_*", age: "> 10m" } }';
const good = `${cluster}\nguard: { mode: enforce, policies: [${policy}] }\n`;

async function explained(files: Readonly<Record<string, string>>, argv: readonly string[], environment = {}) {
  const ports = testPorts({ environment });
  for (const [path, text] of Object.entries(files)) ports.disk.set(path, text);
  const code = await runCli(['guard', 'explain', ...argv], commands, ports);
  return { code, out: ports.stdout.text(), stderr: ports.stderr.text() };
}

describe('guard explain', () => {
  it('explains the guard and each policy', async () => {
    const { code, out, stderr } = await explained({ 'graphwarden.yml': good }, ['--config', 'graphwarden.yml']);
    expect([code, stderr]).toEqual([0, '']);
    expect(out).toMatch(/^The guard enforces: .*\n/);
    expect(out).toContain('and 6 in a cluster in any 10m.');
    expect(out).toContain(
      '\n\nrunaway: enforces.\n  It aborts installed queries of the cluster prod that\n    - are called adhoc_*\n',
    );
    expect(out.endsWith('.\n')).toBe(true);
  });

  it('reads the file that the environment variable names', async () => {
    const { code, out } = await explained({ 'a.yml': good }, [], { GRAPHWARDEN_CONFIG: 'a.yml' });
    expect([code, out.split('\n')[0]]).toEqual([0, expect.stringContaining('The guard enforces')]);
  });

  it('reports a configuration without a guard', async () => {
    const { code, out } = await explained({ 'a.yml': cluster }, ['--config', 'a.yml']);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^The guard observes: .*\n[\s\S]*There are no policies: the guard matches and aborts nothing\.\n$/,
    );
  });

  it('prints no cluster limits in the scope node', async () => {
    const { out } = await explained({ 'a.yml': `scope: node\n${good}` }, ['--config', 'a.yml']);
    expect(out).toContain('at most 3 aborts on a node in any 10m.\n');
  });

  it('prints the problems of an invalid configuration and no explanation', async () => {
    const bad = `${cluster}\nguard: { policies: [{ name: all, when: { graph: "*" } }] }\n`;
    const { code, out, stderr } = await explained({ 'a.yml': bad }, ['--config', 'a.yml']);
    expect([code, out]).toEqual([2, '']);
    expect(stderr).toMatch(/^a\.yml:2:\d+: guard\.policies\[0\]\.when: could abort every query: .*\n$/);
  });

  it('is a usage error without a file', async () => {
    const { code, out, stderr } = await explained({}, []);
    expect([code, out]).toEqual([2, '']);
    expect(stderr).toContain('required option --config FILE not specified');
    expect((await explained({}, ['--config', 'nowhere.yml'])).code).toBe(2);
  });
});
