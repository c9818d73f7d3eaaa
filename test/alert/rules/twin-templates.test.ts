import { expect, it } from 'vitest';
import {
  instanceTemplate,
  labelPart,
  partitionTemplate,
  placeTemplate,
  policyTemplate,
  probePlaceTemplate,
} from '../../../src/alert/rules/twin-templates.ts';

/** Fills the actions of a template that the templates of twins use. */
function fill(template: string, labels: Readonly<Record<string, string>>): string {
  return template
    .replaceAll(
      /\{\{ with \$labels\.(\w+) \}\}(.*?)\{\{ \. \}\}(?:\{\{ else \}\}(.*?))?\{\{ end \}\}/g,
      (_, name: string, before: string, otherwise = '') =>
        labels[name] === undefined ? otherwise : `${before}${labels[name]}`,
    )
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, name: string) => labels[name] ?? '');
}

const m1 = { cluster_name: 'prod', node: 'm1' };
const gpe = { service_name: 'GPE', partition: '1', replica: '2' };

it.each([
  ['label part', { graph: 'fraud' }, ', graph fraud', labelPart('graph', ', graph ')],
  ['label part', {}, '', labelPart('graph', ', graph ')],
  ['partition', gpe, 'GPE_1', partitionTemplate],
  ['instance', gpe, 'GPE_1#2', instanceTemplate],
  ['instance', { service_name: 'ADMIN' }, 'ADMIN', instanceTemplate],
  ['place', m1, 'on m1', placeTemplate],
  ['place', {}, 'of the cluster', placeTemplate],
  ['probe place', m1, 'prod/m1', probePlaceTemplate],
  ['probe place', { cluster_name: 'prod' }, 'prod', probePlaceTemplate],
  ['policy', { policy: 'runaway' }, ' by the policy runaway', policyTemplate],
])('template of the %s with the labels %j gives «%s»', (_, labels, text, template) => {
  expect(fill(template, labels)).toBe(text);
});
