import { describe, expect, it } from 'vitest';
import { expand } from '../../src/config/environment.ts';

const environment = { HOST: 'graph', EMPTY: '', NESTED: '${HOST}', toString: undefined };

describe('expand', () => {
  it.each([
    ['plain', 'plain'],
    ['${HOST}', 'graph'],
    ['http://${HOST}:1/${HOST}', 'http://graph:1/graph'],
    ['${EMPTY}', ''],
    ['$${HOST}', '${HOST}'],
    ['$$${HOST}', '$${HOST}'],
    ['${NESTED}', '${HOST}'],
    ['$HOST', '$HOST'],
    ['5$', '5$'],
    ['{HOST}', '{HOST}'],
    ['$2b$10$abcdefghijklmnopqrstuv', '$2b$10$abcdefghijklmnopqrstuv'],
  ])('turns %j into %j', (text, expected) => {
    expect(expand(text, environment)).toEqual({ text: expected, complaints: [] });
  });

  it.each(['${}', '${1ST}', '${A B}', '${HOST', '${a:-b}', '${pass word-canary}'])(
    'refuses %j without repeating it',
    (text) => {
      expect(expand(text, environment)).toEqual({
        text,
        complaints: ['holds a reference to the environment that is not a name in braces'],
      });
    },
  );

  it.each(['MISSING', 'toString', 'constructor', '__proto__'])('names the missing variable %s', (name) => {
    expect(expand(`\${${name}}`, environment).complaints).toEqual([
      `refers to the environment variable ${name}, which is not set`,
    ]);
  });

  it('complains about each reference of a text', () => {
    expect(expand('${A}${HOST}${B}', environment)).toEqual({
      text: '${A}graph${B}',
      complaints: [
        'refers to the environment variable A, which is not set',
        'refers to the environment variable B, which is not set',
      ],
    });
  });
});
