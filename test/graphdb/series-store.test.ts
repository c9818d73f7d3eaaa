import { describe, expect, it } from 'vitest';
import { SeriesStore } from '../../src/graphdb/series-store.ts';

function viewOf(text: string): DataView {
  return new DataView(new TextEncoder().encode(text).buffer);
}

describe('the store of texts', () => {
  it('returns stored texts, beyond its initial size', () => {
    const store = new SeriesStore();
    const texts = Array.from({ length: 1000 }, (_, at) => `a{x="Größe ${at} 😀"} `);
    const spans = texts.map((text) => store.add(text));
    expect(spans.map((span) => store.text(span))).toEqual(texts);
    expect(store.used).toBe(spans.reduce((sum, { length }) => sum + length, 0));
  });

  it('copies from another store', () => {
    const [one, other] = [new SeriesStore(), new SeriesStore()];
    one.add('first');
    const span = one.add('second');
    other.add('x');
    expect(other.text(other.addFrom(one, span))).toBe('second');
  });

  it.each(['a', 'ab', 'abc', 'abcd', 'abcde', 'abcdefgh', 'abcdefghi'])('finds %s on a page', (text) => {
    const store = new SeriesStore();
    store.add('before');
    const span = store.add(text);
    expect(store.matchesAt(span, viewOf(`..${text}..`), 2)).toBe(true);
    expect(store.matchesAt(span, viewOf(`..${text}`), 2)).toBe(true);
    expect(store.matchesAt(span, viewOf(`..${text}..`), 1)).toBe(false);
    for (let at = 0; at < text.length; at += 1) {
      expect(store.matchesAt(span, viewOf(`..${text.slice(0, at)}!${text.slice(at + 1)}..`), 2)).toBe(false);
    }
  });

  it('finds no text beyond the end of a page', () => {
    const store = new SeriesStore();
    const span = store.add('abcde');
    expect(store.matchesAt(span, viewOf('.abcd'), 1)).toBe(false);
    expect(store.matchesAt(span, viewOf('.abcd'), 9)).toBe(false);
  });
});
