import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { refusedWords } from './architecture/plain-words.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const architecture = read('docs/architecture.md');
const texts = globSync([
  '*.md',
  'docs/**/*.md',
  'helm/**/*.{md,yaml,tpl,txt}',
  'helm/**/values.schema.json',
  'config/*.*',
  'config/receivers/*',
  'dashboards/**/*.{json,yml,yaml}',
  'examples/**/*.{sh,yml,yaml,service}',
  '.github/**/*.yml',
  '.ci/run',
  'Dockerfile',
]);

/** Drops quoted words without a space: names of the wire. */
function withoutNames(line: string): string {
  return line.replaceAll(/"[\w.-]+"/g, '""');
}

/** Paths of the checkout that a page names in backticks. */
function namedFiles(page: string): readonly string[] {
  const paths = page.matchAll(/`((?:src|test|tools|campaigns|examples|config|helm|docs)\/[\w./-]+\.\w+)`/g);
  return [...paths].flatMap(([, path]) => path ?? []);
}

/** Files that an example of a page adds. */
function exampleFiles(page: string): readonly string[] {
  return [...page.matchAll(/^```ts file=(\S+)$/gm)].flatMap(([, file = '']) => [
    file,
    file.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts'),
  ]);
}

describe('the documents', () => {
  it.each(texts)('%s uses plain words', (path) => {
    const lines = read(path).split('\n');
    const found = lines.flatMap((line, index) =>
      refusedWords(withoutNames(line)).map((word) => `${path}:${index + 1} ${word}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    'docs/architecture.md',
    'CONTRIBUTING.md',
    'docs/dashboards.md',
    'docs/performance.md',
    'docs/dependencies.md',
  ])('%s names only files that exist', (path) => {
    const page = read(path);
    const missing = namedFiles(page).filter((file) => !existsSync(file) && !exampleFiles(page).includes(file));
    expect(missing).toEqual([]);
  });
});

describe('the questions of a newcomer', () => {
  const section = architecture.split('## Files by question')[1] ?? '';
  const rows = [...section.matchAll(/^\| (Where|What|Which|Who|How) ([^|]+)\| ([^|]+)\|$/gm)].map(
    ([, word, rest, answer = '']) => [`${word} ${rest}`, answer] as const,
  );

  it('are at least ten', () => {
    expect(rows.length).toBeGreaterThanOrEqual(10);
  });

  it.each(rows)('%s names one file, or one heading of the contributing guide', (_, answer) => {
    const links = [...answer.matchAll(/\]\(\.\.\/CONTRIBUTING\.md#([\w-]+)\)/g)].map(([, anchor = '']) => anchor);
    const headings = [...read('CONTRIBUTING.md').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    expect([...namedFiles(answer), ...links]).toHaveLength(1);
    expect(headings).toEqual(expect.arrayContaining(links));
    expect(namedFiles(answer).filter((file) => !existsSync(file))).toEqual([]);
  });
});
