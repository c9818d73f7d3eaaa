import { z } from 'zod';
import type { UnlocatedProblem } from '../model/config-problem.ts';
import { referencesIn, webhookTemplateNames } from '../notify/webhook-template.ts';
import { unknownName } from './template-checks.ts';

const templates = { path: z.unknown().optional(), body: z.unknown().optional() };
const webhook = z.looseObject({
  ...templates,
  resolve: z.looseObject(templates).optional().catch(undefined),
  by_severity: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
const receiver = z.looseObject({ templated_webhook: webhook.optional().catch(undefined) });

/** Lenient view of the file: absent and invalid values become undefined. */
const view = z.looseObject({
  alerts: z.looseObject({ receivers: z.array(receiver.optional().catch(undefined)) }),
});

/** Finds names in the templates of webhooks that are neither in the closed set nor in `by_severity`. */
export function checkWebhookTemplates(value: unknown): readonly UnlocatedProblem[] {
  const given = view.safeParse(value);
  if (!given.success) return [];
  return given.data.alerts.receivers.flatMap((one, at) => {
    const section = one?.templated_webhook;
    if (section === undefined) return [];
    const { path, body, resolve } = section;
    const known = [...webhookTemplateNames, ...Object.keys(section.by_severity ?? {})];
    return referencesIn({ path, body, resolve: { path: resolve?.path, body: resolve?.body } })
      .filter(({ name }) => !known.includes(name))
      .map((found) => unknownName(['alerts', 'receivers', at, 'templated_webhook', ...found.path], found.name, known));
  });
}
