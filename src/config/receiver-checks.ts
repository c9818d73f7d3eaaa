import { namesInTemplate } from '../alert/templates.ts';
import type { UnlocatedProblem } from '../model/config-problem.ts';
import { receivers as kinds } from '../notify/receivers/all.ts';
import type { Config } from './config.ts';

/** Finds settings of receivers with which people probably do not get what they need. */
export function receiverWarnings({ receivers }: Pick<Config['alerts'], 'receivers'>): readonly UnlocatedProblem[] {
  return receivers.flatMap((endpoint, at) => {
    const kind = kinds.find((one) => one.kind === endpoint.kind);
    const path = ['alerts', 'receivers', at, endpoint.kind];
    return (kind?.warnings(endpoint) ?? []).map(({ key, ...found }) => ({ path: [...path, key], ...found }));
  });
}

/** Finds texts of all alerts that say nothing about the alert. Only the text of a single rule may be constant. */
export function constantTexts({ templates }: Pick<Config['alerts'], 'templates'>): readonly UnlocatedProblem[] {
  return (['summary', 'description'] as const).flatMap((key) => {
    const text = templates[key];
    if (text === undefined || namesInTemplate(text).length > 0) return [];
    const message = 'has no placeholder, so it is the same for all alerts';
    return [{ path: ['alerts', 'templates', key], message, hint: `write for example \`{{${key}}}\`` }];
  });
}
