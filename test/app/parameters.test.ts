import { describe, expect, it } from 'vitest';
import { filtersBy, wrongValue } from '../../src/app/parameters.ts';

const members = {
  name: { type: 'string', format: 'date-time' },
  state: { enum: ['up', 'down'] },
  old: { type: 'boolean' },
  outcome: { enum: ['', 'done', null] },
};
const filters = filtersBy(['name', 'state', 'old', 'outcome', 'elsewhere'], members);
const parameters = [...filters, { name: 'list', about: '', schema: { type: 'array', items: { type: 'string' } } }];

function wrong(query: string): string | undefined {
  return wrongValue(parameters, new URLSearchParams(query));
}

describe('parameters that narrow a list down', () => {
  it('are described by what they compare', () => {
    expect(filters).toEqual([
      { name: 'name', about: 'Only those whose name is this.', schema: { type: 'string' } },
      { name: 'state', about: 'Only those whose state is this.', schema: members.state },
      { name: 'old', about: 'Only those whose old is this.', schema: members.old },
      { name: 'outcome', about: 'Only those whose outcome is this.', schema: members.outcome },
      { name: 'elsewhere', about: 'Only those whose elsewhere is this.', schema: { type: 'string' } },
    ]);
  });
});

describe('a value', () => {
  it.each([
    '',
    'name=',
    'name=x',
    'state=up',
    'old=true&state=down',
    'outcome=',
    'outcome=done',
    'list=a&list=b',
    'new=x',
  ])('is right in %j', (query) => expect(wrong(query)).toBeUndefined());

  it.each([
    ['state=UP', "'UP' is no state: say one of up, down."],
    ['state=', "'' is no state: say one of up, down."],
    ['old=1', "'1' is no old: say one of true, false."],
    ['outcome=null', "'null' is no outcome: say one of done."],
    ['state=up&state=down', 'state is given 2 times: give it once.'],
    ['name=a&name=a&name=b', 'name is given 3 times: give it once.'],
  ])('is wrong in %j', (query, sentence) => expect(wrong(query)).toBe(sentence));
});
