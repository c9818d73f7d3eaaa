import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../../src/alert/rule.ts';
import { rules } from '../../../../src/alert/rules/all.ts';
import { annotationsFor, ownTextsInPrometheus } from '../../../../tools/generate/rules/alert-texts.ts';

/** Rules whose alerts are other alerts in Prometheus, so that all of their texts differ. */
const otherAlerts: Readonly<Record<string, string>> = {
  query_aborted: 'in Prometheus, all aborts of a policy on a node are one alert',
  abort_unconfirmed: 'in Prometheus, all aborts of a policy on a node are one alert',
  watchdog: 'in Prometheus, the heartbeat is that of Prometheus',
};

/** Sentences that hold for the receivers of graphwarden only. */
const onlyHere: Readonly<Record<string, string>> = {
  'Until the flapping ends, graphwarden sends no notifications about further changes.':
    'Alertmanager does not inhibit by flapping',
  'Alert rules that need its data neither fire nor resolve until it recovers.':
    'an alert of Prometheus resolves when its series are gone',
};

const withTwin = rules.filter(({ twin }) => twin !== undefined);
const texts = withTwin
  .filter(({ name }) => !Object.hasOwn(otherAlerts, name))
  .flatMap((rule) =>
    (['summary', 'description'] as const).map((kind) => ({
      name: `${rule.name}: ${kind}`,
      own: sentences(ownTextsInPrometheus(rule)[kind]),
      prometheus: sentences(annotationsFor(rule)[kind]),
    })),
  );

function sentences(text: string): readonly string[] {
  return text.split(/(?<=\.) (?=[A-Z{])(?![^{]*\}\}\{\{ end)/);
}

/** Whether Prometheus has the label or the value of every placeholder of a sentence. */
function isKnownToPrometheus(sentence: string): boolean {
  return !/\{\{\w+\}\}/.test(sentence);
}

describe('the text of a rule for Prometheus', () => {
  it.each(texts)('equals the text of graphwarden if Prometheus has the values ($name)', ({ own, prometheus }) => {
    const common = own.filter((sentence) => isKnownToPrometheus(sentence) && !Object.hasOwn(onlyHere, sentence));
    expect(prometheus).toEqual(expect.arrayContaining([...common]));
  });

  it.each(texts)('has other sentences only in place of those whose values it lacks ($name)', ({ own, prometheus }) => {
    const others = prometheus.filter((sentence) => !own.includes(sentence));
    const replaced = own.filter((sentence) => !prometheus.includes(sentence));
    expect(others.length === 0 || replaced.length > 0, others.join(' ')).toBe(true);
    expect(prometheus.filter((sentence) => !isKnownToPrometheus(sentence))).toEqual([]);
  });

  it('lists no exception without need', () => {
    const all = new Set(withTwin.flatMap((rule) => sentences(ownTextsInPrometheus(rule).description)));
    expect(Object.keys(onlyHere).filter((sentence) => !all.has(sentence))).toEqual([]);
    const names = rules.map(({ name }) => name);
    expect(Object.keys(otherAlerts).filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('facts in the texts for Prometheus', () => {
  const warm: Rule = {
    name: 'tea_cold',
    about: 'Tea is cold.',
    scope: 'self',
    severity: 'warning',
    for: 0,
    keepFiringFor: 60_000,
    thresholds: [],
    labels: ['cup'],
    summary: 'Tea in {{cup}} is cold',
    description: 'It has {{warmth}}.',
    twin: 'tea_warmth < 20',
    *evaluate() {},
  };

  it.each([
    ['count', '{{ $value | humanize }}'],
    ['ratio', '{{ $value | humanizePercentage }}'],
    ['seconds', '{{ $value | humanizeDuration }}'],
    ['bytes', '{{ $value | humanize1024 }}B'],
  ] as const)('the only fact is the value, in the unit of its threshold: %s', (unit, template) => {
    const thresholds = [{ name: 'below', about: 'Limit.', unit, value: 20 }];
    const rule: Rule = { ...warm, thresholds, twin: 'tea_warmth < {{below}} and tea_cups > 0' };
    expect(annotationsFor(rule)).toEqual({
      summary: 'Tea in {{ $labels.cup }} is cold',
      description: `It has ${template}.`,
    });
  });

  it('the only fact is a number if its threshold is a factor, or if the twin has no threshold', () => {
    const thresholds = [{ name: 'below', about: 'Limit.', unit: 'ratio', value: 0.5 }] as const;
    const factor: Rule = { ...warm, thresholds, twin: 'tea_warmth < {{below}} * tea_water' };
    for (const rule of [factor, warm]) expect(annotationsFor(rule).description).toBe('It has {{ $value | humanize }}.');
  });

  it('other facts have templates in the rule', () => {
    const rule: Rule = { ...warm, twinTexts: { description: '{{warmth}}, {{sort}}', facts: { sort: 'green' } } };
    expect(annotationsFor(rule).description).toBe('{{ $value | humanize }}, green');
  });

  it('are rejected if several of them have no template', () => {
    expect(() => annotationsFor({ ...warm, summary: '{{sort}}' })).toThrow(
      'rule tea_cold: twinTexts must have texts without the facts sort, warmth, or their templates',
    );
  });

  it('are declared only for words in the texts', () => {
    const unused = rules.flatMap(({ name, summary, description, twinTexts }) => {
      const all = `${twinTexts?.summary ?? summary} ${twinTexts?.description ?? description}`;
      return Object.keys(twinTexts?.facts ?? {}).flatMap((fact) =>
        all.includes(`{{${fact}}}`) ? [] : [`${name}: ${fact}`],
      );
    });
    expect(unused).toEqual([]);
  });
});
