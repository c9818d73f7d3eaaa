import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { collectors } from '../../src/collect/all.ts';
import { loadConfig } from '../../src/config/load.ts';
import { formatProblems } from '../../src/config/problems.ts';
import { formatDuration } from '../../src/kernel/duration.ts';
import type { AuthSettings } from '../../src/model/settings.ts';
import { anyCharacter } from '../support/any-character.ts';
import { numberOfRuns } from '../support/campaign.ts';
import { corpus, environment } from './corpus.ts';

const texts = [...corpus('corpus/good'), ...corpus('corpus/bad')].map(({ text }) => text);

/** Pieces that YAML gives a meaning to, so that arbitrary text is more than one long scalar. */
const yamlish = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\n',
        '  ',
        ': ',
        '- ',
        '{',
        '}',
        '[',
        ']',
        ', ',
        '"',
        "'",
        '#',
        '&a ',
        '*a',
        '!t ',
        '|',
        '>',
        '?',
        '%',
      ),
      fc.constantFrom('clusters', 'name', 'nodes', 'url', 'read_auth', '${X}', '${', '---\n', '\t', '~', '1', '<<'),
      fc.string({ unit: anyCharacter, maxLength: 4 }),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''));

/** A text of the corpus with something cut out of it and something else put in. */
const mutated = fc
  .tuple(fc.constantFrom(...texts), fc.nat(1000), fc.nat(20), yamlish)
  .map(([text, at, length, piece]) => text.slice(0, at % (text.length + 1)) + piece + text.slice(at + length));

describe('any text', () => {
  it('returns a configuration or problems with a position, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(yamlish, mutated, fc.string({ unit: anyCharacter })), (text) => {
        const loaded = loadConfig(text, 'f.yml', environment);
        if (loaded.ok) return;
        const lines = text.split(/\r\n|\r|\n/).length;
        expect(loaded.error.length).toBeGreaterThan(0);
        for (const { file, line, column, message } of loaded.error) {
          expect([file, line > 0 && line <= lines + 1, column > 0, message !== '']).toEqual([
            'f.yml',
            true,
            true,
            true,
          ]);
        }
      }),
      { numRuns: numberOfRuns({ short: 80, campaign: 1500 }) },
    );
  });

  it('does not repeat a possible secret, at any position', () => {
    const canary = 'c4n4ry-s3cr3t';
    const secrets = fc
      .tuple(fc.constantFrom(...texts), fc.nat(2000), fc.constantFrom('', ' ', '"', "'", '\n', ': ', '[', '{'))
      .map(([text, seed, before]) => {
        const gaps = [...text.matchAll(/[:,[{]\s|\s\n|"/g)].map(({ index, 0: gap }) => index + gap.length);
        const at = gaps[seed % Math.max(1, gaps.length)] ?? 0;
        return `${text.slice(0, at)}${before}${canary}${text.slice(at)}`;
      });
    fc.assert(
      fc.property(secrets, (text) => {
        const loaded = loadConfig(text, 'f.yml', { ...environment, GRAPH_TOKEN: canary, CLUSTER: canary });
        // Names of labels that the file declares are no secrets, and problems list them.
        const shown = loaded.ok ? '' : formatProblems(loaded.error).replaceAll(/\((?:known|did)[^)]*\)/g, '');
        expect(shown).not.toContain(canary);
      }),
      { numRuns: numberOfRuns({ short: 50, campaign: 1000 }) },
    );
  });

  it('does not repeat a secret from the environment', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8, maxLength: 30, unit: 'grapheme-ascii' }), (secret) => {
        const text = `clusters: "\${SECRET}"\nlisten: "\${SECRET}"\nscope: "\${SECRET}"\nlimits: { body: "\${SECRET}" }`;
        const loaded = loadConfig(text, 'f.yml', { SECRET: secret });
        expect(loaded.ok ? '' : formatProblems(loaded.error)).not.toContain(secret);
      }),
    );
  });
});

describe('a valid configuration', () => {
  const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,20}$/);
  const duration = fc.integer({ min: 1, max: 10_000_000 });
  const node = fc.record({ name: word, host: fc.ipV4(), port: fc.integer({ min: 81, max: 65_535 }), hostId: word });
  const cluster = fc.record({
    name: word,
    nodes: fc.uniqueArray(node, { minLength: 1, maxLength: 5, selector: ({ name }) => name }),
    labels: fc.dictionary(
      fc.stringMatching(/^my_[a-z]{1,8}$/),
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('${')),
      {
        maxKeys: 4,
      },
    ),
    token: fc.string({ minLength: 1, unit: 'grapheme-ascii' }).filter((text) => !text.includes('${')),
  });

  const byInterval = collectors.filter(({ defaults }) => defaults.schedule === undefined);

  it('is read back unchanged, in block and in flow style', () => {
    const clusters = fc.uniqueArray(cluster, { minLength: 1, maxLength: 4, selector: ({ name }) => name });
    fc.assert(
      fc.property(
        clusters,
        duration.filter((length) => length >= 100),
        fc.constantFrom('block', 'flow'),
        (given, every, collectionStyle) => {
          const written = {
            clusters: given.map(({ name, nodes, labels, token }) => ({
              name,
              labels,
              nodes: nodes.map((one) => ({
                name: one.name,
                url: `http://${one.host}:${one.port}`,
                host_id: one.hostId,
              })),
              read_auth: { bearer_token: token },
            })),
            collectors: Object.fromEntries(
              byInterval.map(({ name }) => [name, { interval: formatDuration(every), timeout: formatDuration(every) }]),
            ),
          };
          const loaded = loadConfig(stringify(written, { collectionStyle }), 'f.yml', {});
          if (!loaded.ok) throw new Error(formatProblems(loaded.error));
          const { value } = loaded;
          expect(value.clusters.map(({ name }) => name)).toEqual(given.map(({ name }) => name));
          expect(value.clusters.map(({ labels }) => labels)).toEqual(given.map(({ labels }) => labels));
          expect(value.clusters.map(({ nodes }) => nodes)).toEqual(
            given.map(({ nodes }) =>
              nodes.map(({ name, host, port, hostId }) => ({ name, url: `http://${host}:${port}`, hostId })),
            ),
          );
          expect(value.clusters.map(({ readAuth }) => revealed(readAuth))).toEqual(given.map(({ token }) => token));
          for (const { name } of byInterval) {
            expect(value.collectors[name]).toMatchObject({ interval: every, timeout: every, staleAfter: 3 * every });
          }
        },
      ),
    );
  });
});

function revealed(auth: AuthSettings): string {
  return auth.kind === 'bearer' && 'value' in auth.token ? auth.token.value.reveal() : '';
}
