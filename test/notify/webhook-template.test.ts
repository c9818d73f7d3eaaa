import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  jsonTemplate,
  referencesIn,
  renderJson,
  renderText,
  templateText,
  templateValues,
  webhookTemplateNames,
} from '../../src/notify/webhook-template.ts';
import { anyCharacter } from '../support/any-character.ts';
import { alertsNotification, firingAlert, resolvedAlert } from '../support/notifications.ts';

const values = { summary: 'GPE is "down"', empty: '', priority: 5, flag: false, long: 'ä😀b'.repeat(50) };

function problemsOf(body: unknown): readonly string[] {
  const { error } = jsonTemplate.safeParse(body);
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

describe('a text', () => {
  it.each([
    ['no placeholder', 'no placeholder'],
    ['{{summary}}!', 'GPE is "down"!'],
    ['{{ summary }}{{summary}}', 'GPE is "down"GPE is "down"'],
    ['{{summary | truncate 4}}', 'GPE…'],
    ['{{summary|truncate 100}}', 'GPE is "down"'],
    ['{{priority}} {{flag}}', '5 false'],
    ['{{unknown}}', ''],
  ])('%j becomes %j', (template, expected) => {
    expect(renderText(template, values)).toBe(expected);
  });

  it('can encode its values, and only them', () => {
    expect(renderText('/a b/{{summary}}', values, encodeURIComponent)).toBe('/a b/GPE%20is%20%22down%22');
    expect(renderText('{{bad}}', { bad: 'a\ud800' }, encodeURIComponent)).toBe('a%EF%BF%BD');
  });

  it.each(['{{summary', 'summary}}', '{{summary | upper}}', '{{summary | truncate}}', '{{summary | truncate 0}}'])(
    '%j is rejected',
    (text) => {
      expect(templateText.safeParse(text).success).toBe(false);
      expect(problemsOf({ a: [{ b: text }] })).toEqual([expect.stringMatching(/^a\.0\.b: has /)]);
    },
  );
});

describe('a body', () => {
  it('keeps its structure, and the type of a value that is alone', () => {
    const body = { a: '{{summary}}', b: ['{{priority}}', 'P{{priority}}', null, 1.5], c: { d: '{{flag}}', e: true } };
    expect(renderJson(body, values)).toEqual({
      a: 'GPE is "down"',
      b: [5, 'P5', null, 1.5],
      c: { d: false, e: true },
    });
  });

  it('omits members and elements whose placeholders are empty, and no other empty text', () => {
    const body = { a: '{{empty}}', b: ['{{empty}} {{unknown}}', 'x{{empty}}'], c: '', d: { e: '{{empty}}' } };
    expect(renderJson(body, values)).toEqual({ b: ['x'], c: '', d: {} });
  });

  it('is valid JSON for any values, and no value adds a member', () => {
    const template = { a: '{{one}}', b: 'x {{two}} y', c: ['{{one | truncate 3}}'] };
    const text = fc.string({ unit: anyCharacter });
    fc.assert(
      fc.property(text, text, (one, two) => {
        const made: unknown = JSON.parse(JSON.stringify(renderJson(template, { one, two })));
        expect(Object.keys(Object(made)).filter((key) => !['a', 'b', 'c'].includes(key))).toEqual([]);
      }),
    );
  });

  it.each<[unknown, string]>([
    ['{"text": "{{summary}}"}', ': is a text; remove the quotes or the | around the JSON, so that it is a mapping'],
    [
      '{"text": "a",\n "count": {{count}} }',
      ': is a text, and not valid JSON at line 2, column 12; write a mapping, with each placeholder in quotes',
    ],
    [['{{summary}}'], ': must be a mapping: the JSON object to send'],
    [undefined, ': must be a mapping: the JSON object to send'],
    [{ a: { b: Number.NaN } }, 'a.b: is not a number that JSON can contain'],
    [{ a: [undefined] }, 'a.0: is not a value that JSON can contain; write it in quotes'],
    [{ at: new Date(0) }, 'at: is not a value that JSON can contain; write it in quotes'],
    [{ a: 'x'.repeat(70_000) }, ': must be at most 65536 bytes of JSON'],
  ])('%o is rejected', (body, problem) => {
    expect(problemsOf(body)).toEqual([problem]);
  });

  it('that is nested too deeply is rejected', () => {
    const nested = Array.from({ length: 40 }).reduce<object>((inner) => ({ a: inner }), {});
    expect(problemsOf(nested)).toEqual([expect.stringContaining('is nested deeper than 16 levels')]);
  });

  it('has its references with their positions', () => {
    expect(referencesIn({ a: ['{{x}} {{ y | truncate 3 }}'], b: { c: 1 } })).toEqual([
      { path: ['a', 0], name: 'x' },
      { path: ['a', 0], name: 'y' },
    ]);
  });
});

describe('the values of an alert', () => {
  const request = alertsNotification();
  const context = { detail: 'full', name: 'one' } as const;

  it('are those of the closed set', () => {
    expect(Object.keys(templateValues(request, firingAlert(), context)).toSorted()).toEqual(
      webhookTemplateNames.toSorted(),
    );
    expect(templateValues(request, firingAlert(), context)).toMatchObject({
      status: 'firing',
      state: 'FIRING critical',
      summary: 'GPE_1#1 on m1 is down',
      incident: 'a1b2c3d4e5f60718293a4b5c6d7e8f90-3',
      incident_short: 'a1b2c3d4e5f6-3',
      node: 'm1',
      graph: '',
      starts_at: '2026-09-22T04:50:00.000Z',
      ends_at: '',
      url: 'https://warden.example.org/alerts',
      receiver: 'one',
    });
  });

  it('of a reminder and of a resolved alert have their state', () => {
    expect(templateValues({ ...request, isReminder: true }, firingAlert(), context).state).toBe(
      'STILL FIRING critical',
    );
    const resolved = templateValues(request, resolvedAlert(), context);
    expect(resolved).toMatchObject({
      state: 'RESOLVED critical after 3m',
      status: 'resolved',
      ends_at: '2026-09-22T04:53:00.000Z',
    });
  });

  it('are shorter after a rejection', () => {
    const short = templateValues(request, firingAlert(), { ...context, detail: 'short' });
    expect(short).toMatchObject({ summary: 'GPE_1#1 on m1 is down', description: '', labels: '', runbook_url: '' });
    const minimal = templateValues(request, firingAlert(), { ...context, detail: 'minimal' });
    expect(minimal.summary).toBe('GraphdbServiceNotOnline prod');
  });
});
