import { describe, expect, it } from 'vitest';
import { type Landing, landingPage } from '../../../../src/app/api/landing/page.ts';
import { say, type Tone } from '../../../../src/app/api/landing/statement.ts';
import type { Story } from '../../../../src/app/api/landing/story.ts';
import { wall } from './landing-fixtures.ts';

function story(name: string, tone: Tone, more: Partial<Story> = {}): Story {
  return { name, tone, labels: {}, topics: [{ name: 'Nodes', statements: [say(tone, 'said', 'do this')] }], ...more };
}

function page(stories: readonly Story[], more: Partial<Landing> = {}): string {
  return landingPage({ stories, build: { version: '1.2.3', commit: 'abc' }, ready: true, wall, prefix: '', ...more });
}

function titleOf(text: string): string {
  return /<title>(.*)<\/title>/.exec(text)?.[1] ?? '';
}

describe('title of the landing page', () => {
  it.each([
    [[story('a', 'good'), story('b', 'good')], 'healthy'],
    [[story('a', 'good'), story('b', 'warning')], 'b: degraded'],
    [[story('a', 'bad'), story('b', 'warning')], 'a: unhealthy'],
    [[story('a', 'bad'), story('b', 'bad')], 'a and b: unhealthy'],
    [[story('a', 'plain'), story('b', 'good')], 'a: unknown'],
  ])('%#', (stories, expected) => {
    expect(titleOf(page(stories))).toBe(`${expected} · graphwarden`);
  });
});

describe('landing page', () => {
  it('shows each statement with its severity and hint', () => {
    const text = page([story('prod', 'bad', { labels: { env: 'prod', team: 'graph' } })]);
    expect(text).toContain('<section class="bad"><h2>prod <small>env="prod"</small>');
    expect(text).toContain('<span class="verdict bad">unhealthy</span>');
    expect(text).toContain('<dt>Nodes</dt><dd><ul><li class="bad">said. <small class="hint">do this</small></li></ul>');
  });

  it('colors a sentence about a status like the dashboards', () => {
    const statements = [{ ...say('warning', 'GPE Starting'), color: 'blue' as const }];
    const text = page([story('prod', 'warning', { topics: [{ name: 'Services', statements }] })]);
    expect(text).toContain('<li class="warning blue">GPE Starting.</li>');
  });

  it('shows the time, the version and whether the first polls are complete', () => {
    expect(page([story('a', 'good')])).toContain('1 cluster as of 2026-09-22 04:53:20 UTC. (');
    expect(page([])).toContain('Version 1.2.3 (commit abc)');
    expect(page([], { ready: false })).toContain('The first round of reads is not over yet.');
  });

  it('shows the notice above the clusters', () => {
    const text = page([story('a', 'good')], { notice: 'This is a <SIMULATION>' });
    expect(text).toContain('<p class="notice" role="note">This is a &lt;SIMULATION&gt;</p>');
    expect(text.indexOf('SIMULATION')).toBeLessThan(text.indexOf('<section'));
    expect(page([])).not.toContain('class="notice"');
  });

  it('links to a version with and without automatic refresh', () => {
    expect(page([], { prefix: '/warden' })).toContain('<a href="/warden/?refresh=10">');
    expect(page([], { prefix: '/warden', refresh: 10 })).toContain(
      'again every 10 s, <a href="/warden/">stop that</a>',
    );
  });

  it('escapes each text', () => {
    const hostile = '<script>alert("1")</script>';
    const text = page(
      [
        story(hostile, 'bad', {
          labels: { [hostile]: hostile },
          topics: [{ name: 'N', statements: [say('bad', hostile)] }],
        }),
      ],
      { notice: hostile, build: { version: hostile, commit: hostile }, prefix: '/"><script>' },
    );
    expect(text).not.toContain('<script');
  });
});
