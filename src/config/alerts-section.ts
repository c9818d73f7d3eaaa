import { z } from 'zod';
import type { RouteSettings } from '../alert/alerting.ts';
import type { Rule } from '../alert/rule.ts';
import { rulesSection } from '../alert/rules-section.ts';
import { maintenanceSection, routesSection, templatesSection } from '../alert/settings.ts';
import { receiversSection } from '../notify/receivers-section.ts';
import type { AlertsConfig } from './config.ts';

/** The `alerts` section: who is told of what, and what the rules go by. */
export function alertsSection(rules: readonly Rule[]) {
  return z
    .strictObject({
      receivers: receiversSection,
      routes: routesSection,
      maintenance: maintenanceSection,
      rules: rulesSection(rules),
      templates: templatesSection,
    })
    .transform((given): AlertsConfig => ({ ...given, routes: routesOf(given) }))
    .prefault({});
}

/** Whoever names receivers and no routes wants all of them to hear of everything, and of what is critical at once. */
function routesOf({ receivers: all, routes }: Pick<AlertsConfig, 'receivers' | 'routes'>): readonly RouteSettings[] {
  if (routes.length > 0 || all.length === 0) return routes;
  const receivers = all.map(({ name }) => name);
  return routesSection.parse([{ match: { severity: 'critical' }, receivers }, { receivers }]);
}
