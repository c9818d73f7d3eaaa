import { expect, it } from 'vitest';
import { newsOnly } from '../../../src/simulator/receivers/news.ts';
import { letter, told } from './letters.ts';

const am = { receiver: 'am', kind: 'alertmanager' } as const;

it('leaves out what Alertmanager knows already', () => {
  const news = newsOnly();
  const [a, b] = [told('trigger', 'a', { episode: '1' }), told('trigger', 'b', { episode: '1' })];
  expect(news(letter([a], am))?.told).toEqual([a]);
  expect(news(letter([a], am))).toBeUndefined();
  expect(news(letter([a, b], am))?.told).toEqual([b]);
});

it('tells of every change: an end, another episode, another receiver', () => {
  const news = newsOnly();
  const first = told('trigger', 'a', { episode: '1' });
  const changes = [first, told('resolve', 'a', { episode: '1' }), told('trigger', 'a', { episode: '2' })];
  for (const one of changes) expect(news(letter([one], am))?.told).toEqual([one]);
  expect(news(letter([first], { ...am, receiver: 'other' }))?.told).toEqual([first]);
});

it('tells of every letter to others, and of every one that was not taken', () => {
  const news = newsOnly();
  const letters = [letter([told('trigger', 'a')]), letter([told('trigger', 'a')], { ...am, taken: false })];
  for (const one of [...letters, ...letters]) expect(news(one)).toEqual(one);
});

it('gives an end the words of its beginning, where it has none', () => {
  const news = newsOnly();
  const end = letter([told('resolve', 'a', { summary: '' })]);
  expect(news(end)?.told[0]?.summary).toBe('');
  news(letter([told('trigger', 'a')]));
  expect(news(letter(end.told, { taken: false }))?.told[0]?.summary).toBe('about a');
  expect(news(end)?.told[0]?.summary).toBe('about a');
  expect(news(end)?.told[0]?.summary).toBe('');
});

it('tells of a letter that says nothing', () => {
  expect(newsOnly()(letter([]))).toEqual(letter([]));
});
