import { describe, expect, it } from 'vitest';
import { rules } from '../../../../src/alert/rules/all.ts';
import { annotationsFor, textsInPrometheus } from '../../../../tools/generate/rules/alert-texts.ts';

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

const texts = rules
  .filter(({ name }) => !Object.hasOwn(otherAlerts, name))
  .flatMap((rule) =>
    (['summary', 'description'] as const).map((kind) => ({
      name: `${rule.name}: ${kind}`,
      own: sentences(textsInPrometheus(rule)[kind]),
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
    const all = new Set(rules.flatMap((rule) => sentences(textsInPrometheus(rule).description)));
    expect(Object.keys(onlyHere).filter((sentence) => !all.has(sentence))).toEqual([]);
    const names = rules.map(({ name }) => name);
    expect(Object.keys(otherAlerts).filter((name) => !names.includes(name))).toEqual([]);
  });
});
