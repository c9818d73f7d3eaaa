import { describe, expect, it } from 'vitest';
import { expandEnvironment, unexpandedTexts } from '../../src/config/environment.ts';

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
    expect(expandEnvironment(text, environment)).toEqual({ text: expected, errors: [] });
  });

  it.each(['${}', '${1ST}', '${A B}', '${HOST', '${a:-b}', '${pass word-canary}'])(
    'rejects %j without repeating it',
    (text) => {
      expect(expandEnvironment(text, environment)).toEqual({
        text,
        errors: ['contains an invalid reference to an environment variable; write ${NAME}, or $${ for a literal ${'],
      });
    },
  );

  it.each(['MISSING', 'toString', 'constructor', '__proto__'])('names the missing variable %s', (name) => {
    expect(expandEnvironment(`\${${name}}`, environment).errors).toEqual([
      `refers to the environment variable ${name}, which is not set; set it or replace the reference`,
    ]);
  });

  it('returns a problem for each reference of a text', () => {
    expect(expandEnvironment('${A}${HOST}${B}', environment)).toEqual({
      text: '${A}graph${B}',
      errors: [
        'refers to the environment variable A, which is not set; set it or replace the reference',
        'refers to the environment variable B, which is not set; set it or replace the reference',
      ],
    });
  });
});

describe('texts that a shell would replace', () => {
  it.each(['$HOME', '$HOME/state', '~', '~/state'])('include %s', (text) => {
    expect(unexpandedTexts({ a: [{ b: text }] })).toMatchObject([{ path: ['a', 0, 'b'] }]);
  });

  it.each(['$ecret', '$HOME-x', 'a/$HOME', '~user', 'a~', '=~x'])('do not include %s', (text) => {
    expect(unexpandedTexts({ a: text })).toEqual([]);
  });
});
