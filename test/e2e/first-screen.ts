import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { z } from 'zod';
import type { AlertReport } from '../../src/api/alerts.ts';
import { isOngoing } from '../../src/api/cluster-state.ts';
import { atMost } from './page-scene.ts';

/** What answers an operator within five seconds, with where it ends on the screen of a phone, in pixels. */
const shownAnswers = `(() => {
  const bottomOf = (element) => element === null || element === undefined ? null : element.getBoundingClientRect().bottom;
  const cards = [...document.querySelectorAll('section[aria-label="Firing alerts"] article')];
  const part = (card, start) => [...card.querySelectorAll('p')].find((one) => one.textContent.startsWith(start));
  const first = cards[0];
  return {
    headline: bottomOf(document.querySelector('h2.overall')),
    what: bottomOf(first?.querySelector('h3')),
    since: bottomOf(part(first, 'prod · since ')),
    notified: bottomOf(['Notified: hook', '! Not notified yet', '! Sent to no receiver'].map((text) => part(first, text)).find(Boolean)),
    runbook: bottomOf([...first.querySelectorAll('a')].find((one) => one.textContent === 'Runbook')),
    actions: bottomOf(first?.querySelector('.actions')),
    others: cards.slice(1, 3).map((card) => bottomOf(card.querySelector('h3'))),
  };
})()`;

const bottom = z.number();
const answersSchema = z.object({
  headline: bottom,
  what: bottom,
  since: bottom,
  notified: bottom,
  runbook: bottom,
  actions: bottom,
  others: z.array(bottom),
});

/**
 * Expects on a phone without scrolling: what, where, since when, who was notified, and what to do next; also what else
 * fires. Returns the rule of the first alert.
 */
export async function expectFirstScreen(page: Page, alerts: readonly AlertReport[]): Promise<string> {
  const ongoing = alerts.filter(isOngoing);
  const [alert] = ongoing;
  if (alert === undefined) expect.fail('an alert fires');
  const { others, ...first } = answersSchema.parse(await page.evaluate(shownAnswers));
  for (const [what, end] of Object.entries(first)) expect(end, `${what} of ${alert.rule}`).toBeLessThanOrEqual(844);
  expect(others).toHaveLength(Math.min(2, ongoing.length - 1));
  for (const end of others) expect(end, `another alert beside ${alert.rule}`).toBeLessThanOrEqual(844);
  const card = page.locator('section[aria-label="Firing alerts"] article').first();
  // The page may have loaded the alert a moment before its texts changed.
  for (const text of [alert.annotations.summary ?? alert.rule, alert.annotations.description ?? ''])
    await expect.poll(async () => (await card.textContent()) ?? '', atMost).toContain(text);
  expect(await page.locator('h2.overall').textContent()).toMatch(/ on prod/);
  return alert.rule;
}
