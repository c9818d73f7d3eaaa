import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/cli/command.ts';
import { selectSource } from '../../src/cli/recording-source.ts';

describe('the source of a replay', () => {
  it('is a file, the latest part of the recording, or the evidence of an abort', () => {
    expect(selectSource({ flags: {}, arguments: ['monday.jsonl'] }, 0)).toMatchObject({ isFile: true });
    for (const last of ['6h', '99999999999d']) {
      expect(selectSource({ flags: { last }, arguments: [] }, 0)).toMatchObject({ isFile: false });
    }
    expect(selectSource({ flags: { abort: '7.R.N' }, arguments: [] }, 0)).toMatchObject({
      isFile: false,
      abort: '7.R.N',
    });
  });

  it.each([
    [{ last: '0s' }, [], '--last must be a duration such as 6h'],
    [{ last: 'yesterday' }, [], '--last must be a duration such as 6h'],
    [{ last: '1h' }, ['monday.jsonl'], 'exactly one of the argument RECORDING and the options --last and --abort'],
    [{ last: '1h', abort: '7.R.N' }, [], 'exactly one of'],
    [{}, [], 'exactly one of'],
  ])('is never ambiguous: %j %j', (flags, given, message) => {
    const select = () => selectSource({ flags, arguments: given }, 0);
    expect(select).toThrow(UsageError);
    expect(select).toThrow(message);
  });
});
