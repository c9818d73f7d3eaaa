import { expect, it } from 'vitest';
import { authorFlag, authorOf } from '../../src/cli/author.ts';

const none = { flags: {}, arguments: [] };

it.each([
  [{ author: 'ada', user: 'bob' }, { GRAPHWARDEN_USER: 'x' }, 'ada'],
  [{ user: 'bob' }, { GRAPHWARDEN_USER: 'x' }, 'bob'],
  [{}, { GRAPHWARDEN_USER: 'carol', USER: 'x' }, 'carol'],
  [{}, { SUDO_USER: 'dave', USER: 'graphwarden' }, 'dave'],
  [{}, { SUDO_USER: '', USER: 'erin', LOGNAME: 'x' }, 'erin'],
  [{}, { LOGNAME: 'frank' }, 'frank'],
])('the author is named by %j and %j', (flags, environment, author) => {
  expect(authorOf({ ...none, flags }, { environment })).toBe(author);
});

it('an author that nothing names is a usage error', () => {
  expect(() => authorOf(none, { environment: { USER: '' } })).toThrow('required option --author NAME not specified');
});

it('the option says what its default is', () => {
  expect(authorFlag('silence').about).toMatch(/^author of the silence \(default: /);
});
