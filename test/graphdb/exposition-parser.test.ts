import { describe, expect, it } from 'vitest';
import { createTextParser } from '../../src/graphdb/exposition-parser.ts';
import { FakeClock } from '../support/clock.ts';
import { parsed, samplesOf } from './exposition-pages.ts';

const encoder = new TextEncoder();

describe('a page of the text format', () => {
  it('returns families with type, help and samples in the order of the page', async () => {
    const page = await parsed('# HELP up A \\\\ and \\n.\n# TYPE up gauge\nup{b="2",a="1"} 1\nup{b="3"} 0\nother 5\n');
    expect(page.rejected).toBe(0);
    expect(page.families.map(({ name, type, help }) => ({ name, type, help }))).toEqual([
      { name: 'up', type: 'gauge', help: 'A \\ and \n.' },
      { name: 'other', type: 'untyped', help: '' },
    ]);
    expect(samplesOf(page)).toEqual(['up b 2 a 1 1', 'up b 3 0', 'other 5']);
  });

  it.each([
    ['a timestamp', 'x 1 1790000000000', ['x 1']],
    ['a negative timestamp', 'x 1 -5', ['x 1']],
    ['a timestamp in seconds', 'x 1 1790000000.123', ['x 1']],
    ['an exemplar', 'x{a="b"} 1 # {trace_id="}"} 0.5 1790000000.1', ['x a b 1']],
    ['blanks everywhere', ' \tx { a = "1" ,\tb="2" , }\t 7 \t', ['x a 1 b 2 7']],
    ['a value that follows the brace', 'x{a="1"}7', ['x a 1 7']],
    ['a carriage return', 'x 1\r', ['x 1']],
    ['a byte-order mark', '\ufeffx 1', ['x 1']],
    ['no line feed at the end', 'x 1', ['x 1']],
    ['empty braces', 'x{} 1', ['x 1']],
    ['a brace in a value', 'x{a="}{"} 1', ['x a }{ 1']],
    ['every escape', 'x{a="\\\\ \\" \\n"} 1', ['x a \\ " \n 1']],
    ['an unknown escape, as it is', 'x{a="C:\\data"} 1', ['x a C:\\data 1']],
    ['other alphabets', 'x{a="Größe 名 😀"} 1', ['x a Größe 名 😀 1']],
    ['colons in the name', 'a:b:c 1', ['a:b:c 1']],
    ['an empty label value', 'x{a=""} 1', ['x a  1']],
  ])('accepts %s', async (_, line, samples) => {
    const page = await parsed(line);
    expect(samplesOf(page)).toEqual(samples);
    expect(page.rejected).toBe(0);
  });

  it.each(['0', '-0', '+5', '1.', '.5', '-.5', '1.2802625793e+10', '1E5', '1e-320', '9007199254740993'])(
    'keeps the number %s as it is written',
    async (value) => {
      expect(samplesOf(await parsed(`x ${value}`))).toEqual([`x ${value}`]);
    },
  );

  it.each([
    ['nan', 'NaN'],
    ['Inf', '+Inf'],
    ['-inf', '-Inf'],
    ['+Infinity', '+Inf'],
  ])('writes %s as %s', async (value, written) => {
    expect(samplesOf(await parsed(`x ${value}`))).toEqual([`x ${written}`]);
  });

  it.each([
    ['no value', 'x'],
    ['an empty value', 'x '],
    ['a hexadecimal value', 'x 0x1F'],
    ['an underscore in a value', 'x 1_000'],
    ['a comma in a value', 'x 1,5'],
    ['two dots', 'x 1.2.3'],
    ['a lone dot', 'x .'],
    ['a value that no float holds', 'x 1e999'],
    ['400 digits', `x ${'9'.repeat(400)}`],
    ['words after the value', 'x 1 soon'],
    ['a name that begins with a digit', '1x 1'],
    ['a dot in the name', 'a.b 1'],
    ['a dash in a label', 'x{a-b="1"} 1'],
    ['a colon in a label', 'x{a:b="1"} 1'],
    ['an unquoted value', 'x{a=1} 1'],
    ['an open quote', 'x{a="1} 1'],
    ['an open brace', 'x{a="1" 1'],
    ['a trailing backslash', 'x{a="1\\"} 1'],
    ['unexpected comma', 'x{a="1",,} 1'],
    ['a label twice', 'x{a="1",a="2"} 1'],
    ['a label that is the name', 'x{__name__="y"} 1'],
    ['a quoted name', '{"a.b",c="d"} 1'],
    ['words', '<html><body>busy</body></html>'],
  ])('rejects %s, and only that line', async (_, line) => {
    const page = await parsed(`good 1\n${line}\ngood{a="2"} 2\n`);
    expect(samplesOf(page)).toEqual(['good 1', 'good a 2 2']);
    expect(page.rejected).toBe(1);
  });

  it('rejects lines longer than 64 KiB, and reads those before and after', async () => {
    const page = await parsed(`a 1\nb{x="${'y'.repeat(70_000)}"} 1\nc{x="${'z'.repeat(10_000)}"} 1\nd 1\n`);
    expect(page.families.map(({ name }) => name)).toEqual(['a', 'c', 'd']);
    expect(page.rejected).toBe(1);
  });

  it('rejects a long line that ends the body', async () => {
    const page = await parsed(`a 1\n${'b'.repeat(200_000)}`);
    expect(page).toMatchObject({ rejected: 1 });
  });

  it('neither loses nor repeats lines at chunk boundaries', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `family_${at % 10}{number="${at}",text="ä"} ${at}`);
    const page = await parsed(`${lines.join('\n')}\n`);
    expect(page.rejected).toBe(0);
    expect(new Set(samplesOf(page)).size).toBe(20_000);
  });
});

describe('invalid pages', () => {
  it.each([
    ['an empty body', ''],
    ['blank lines', '\n \n'],
    ['HTML', '<html>\n<head><title>502</title></head>\n</html>\n'],
    ['JSON', '{"error":true,"message":"no"}'],
    ['plain comments', '# hello\n#\n'],
  ])('is an error: %s', async (_, body) => {
    const result = await createTextParser(new FakeClock()).parse(encoder.encode(body));
    expect(result).toEqual({ ok: false, error: 'the body contains no valid line of the text format' });
  });

  it('is an error: bytes that are not UTF-8, wherever they are', async () => {
    const body = encoder.encode('a 1\nb{x="y"} 2\n');
    body[9] = 0xff;
    const result = await createTextParser(new FakeClock()).parse(body);
    expect(result).toEqual({ ok: false, error: 'the body is not valid UTF-8' });
  });

  it('is not an error: metadata without samples', async () => {
    expect(await parsed('# TYPE a gauge\n')).toEqual({ families: [], withheld: [], rejected: 0, unconfirmed: 0 });
    expect(await parsed('# EOF\n')).toEqual({ families: [], withheld: [], rejected: 0, unconfirmed: 0 });
  });

  it('is an error: the deadline passes', async () => {
    const result = await createTextParser(new FakeClock()).parse(encoder.encode('a 1\n'), AbortSignal.abort());
    expect(result).toEqual({ ok: false, error: 'the deadline passed while the body was parsed' });
  });
});

describe('slices', () => {
  it('yield to other work between chunks, by the clock', async () => {
    const clock = new RestlessClock();
    const lines = Array.from({ length: 20_000 }, (_, at) => `family{number="${at}"} ${at}`).join('\n');
    await parsed(lines, createTextParser(clock));
    expect(clock.pauses).toBe(Math.ceil(lines.length / 65_536));
  });

  it('parses one page after the other', async () => {
    const parser = createTextParser(new RestlessClock());
    const pages = await Promise.all([1, 2, 3].map((value) => parsed(`a{x="1"} ${value}\nb{x="1"} ${value}\n`, parser)));
    expect(pages.map(samplesOf)).toEqual([1, 2, 3].map((value) => [`a x 1 ${value}`, `b x 1 ${value}`]));
    expect(pages.map(({ rejected }) => rejected)).toEqual([0, 0, 0]);
  });
});

/** Every look at it finds 10 ms gone. */
class RestlessClock extends FakeClock {
  pauses = 0;
  #mono = 0;

  override now() {
    this.#mono += 10;
    return { wall: 0, mono: this.#mono };
  }

  override yieldToEventLoop(): Promise<void> {
    this.pauses += 1;
    return super.yieldToEventLoop();
  }
}
