import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { formatProblems } from '../../src/config/problems.ts';
import { numberOfRuns } from '../support/campaign.ts';
import { corpus, environment } from './corpus.ts';

const often = numberOfRuns({ short: 5000, campaign: 100_000 });

function problems(text: string): readonly string[] {
  const loaded = loadConfig(text, 'graphwarden.yml', environment);
  return loaded.ok ? [] : formatProblems(loaded.error).split('\n');
}

/** Returns a configuration of one cluster with one node, with further keys. */
function minimal(more = '', cluster = ''): string {
  return `clusters:\n  - name: prod\n    nodes: [{ name: m1, url: "http://a:1" }]\n${cluster}${more}`;
}

describe('invalid configurations', () => {
  it.each(corpus('corpus/bad'))('reports each problem of $name', ({ name, text, expected }) => {
    const loaded = loadConfig(text, name, environment);
    expect(expected).not.toBe('');
    expect(loaded.ok ? 'it loads' : formatProblems(loaded.error)).toBe(expected);
  });

  it('never contain a configured secret', () => {
    const texts = corpus('corpus/bad').filter(({ text }) => text.includes('hunter-canary'));
    expect(texts.length).toBeGreaterThan(3);
    for (const { text } of texts) expect(problems(text).join('\n')).not.toContain('hunter-canary');
  });

  it('do not pollute a prototype', () => {
    problems('__proto__: { polluted: true }\nconstructor: { prototype: { polluted: true } }');
    expect({}).not.toHaveProperty('polluted');
  });

  it('rejects a file that is far too large', () => {
    expect(problems(`listen: ${'x'.repeat(2 ** 20)}`)).toEqual(['graphwarden.yml:1:1: must not be larger than 1 MiB']);
  });

  it.each(['[', '{a: ', '- ', '"', '&a ', '? '])(`does not throw for %j ${often} times`, (piece) => {
    expect(problems(piece.repeat(often))).not.toEqual([]);
  });

  it('requires exactly one node in every cluster of a sidecar', () => {
    expect(problems(minimal('scope: node\n'))).toEqual([]);
    expect(problems(minimal('scope: cluster\n'))).toEqual([]);
    expect(problems('scope: node\nclusters:\n  - name: a\n    discover: { srv: s }\n')).toEqual([
      'graphwarden.yml:4:5: clusters[0].discover: must be a list of exactly one node with `scope: node`',
    ]);
  });

  it('has the position of the value that an alias refers to', () => {
    const text = 'log: &log { level: loud }\nlimits: *log\n';
    expect(problems(`${minimal()}${text}`)).toEqual([
      expect.stringMatching(
        /^graphwarden.yml:4:13: limits.level: unknown key `level` \(known here: series_per_family, /,
      ),
      'graphwarden.yml:4:20: log.level: must be one of debug, info, warn, error',
    ]);
  });
});
