import { z } from 'zod';
import type { Rule } from '../alert/rule.ts';
import { namesInTemplate, templateNames } from '../alert/templates.ts';
import type { KeyPath, UnlocatedProblem } from '../model/config-problem.ts';
import { isSafeToShow } from './key-path.ts';
import { closestMatch, withHint } from './name-suggestions.ts';

const labels = z.record(z.string(), z.unknown()).catch({});
const template = z.string().catch('');
const texts = z.looseObject({ summary: template, description: template });
const cluster = z.looseObject({ labels }).optional().catch(undefined);
const rule = texts.extend({ labels }).optional().catch(undefined);

/** Lenient view of the file: absent and invalid values become empty. */
const view = z.looseObject({
  clusters: z.array(cluster).catch([]),
  alerts: z.looseObject({
    templates: texts.optional().catch(undefined),
    rules: z.record(z.string(), rule).catch({}),
  }),
});

/** Finds names in templates that are no label and no fact of their rule, or of any rule for the templates of all rules. */
export function checkTemplateNames(value: unknown, rules: readonly Rule[]): readonly UnlocatedProblem[] {
  const given = view.safeParse(value);
  if (!given.success) return [];
  const { clusters, alerts } = given.data;
  const clusterLabels = clusters.flatMap((one) => Object.keys(one?.labels ?? {}));
  const known = rules.map((one) => [
    ...templateNames(one),
    ...(one.scope === 'cluster' ? clusterLabels : []),
    ...Object.keys(alerts.rules[one.name]?.labels ?? {}),
  ]);
  return [
    ...unknownNames(['alerts', 'templates'], alerts.templates, known.flat()),
    ...rules.flatMap(({ name }, at) => unknownNames(['alerts', 'rules', name], alerts.rules[name], known[at] ?? [])),
  ];
}

function unknownNames(
  path: KeyPath,
  given: z.infer<typeof texts> | undefined,
  known: readonly string[],
): readonly UnlocatedProblem[] {
  return (['summary', 'description'] as const).flatMap((key) =>
    [...new Set(namesInTemplate(given?.[key] ?? ''))]
      .filter((name) => !known.includes(name))
      .map((name) => unknownName([...path, key], name, known)),
  );
}

/** Returns the problem of a name that a template does not know. The name is printed only if it looks like one. */
export function unknownName(path: KeyPath, name: string, known: readonly string[]): UnlocatedProblem {
  const message = isSafeToShow(name) ? `refers to the unknown name \`{{${name}}}\`` : 'refers to an unknown name';
  return withHint({ path, message }, () => {
    const names = [...new Set(known)];
    const meant = closestMatch(name, names);
    return meant === undefined ? `known names: ${names.join(', ')}` : `did you mean \`{{${meant}}}\`?`;
  });
}
