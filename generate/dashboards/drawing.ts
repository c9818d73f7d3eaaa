import {
  FieldColorBuilder,
  FieldColorModeId,
  MappingType,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  type ValueMapping,
} from '@grafana/grafana-foundation-sdk/dashboard';
import type { PanelDefinition, State, Step } from './definition.ts';
import { clusterLink, runbookLinks } from './links.ts';
import { lookOf, type PanelBuilder } from './looks.ts';
import { queriesOf } from './targets.ts';
import { datasource } from './variables.ts';

const usualHeight = 8;

/** A panel in the words of Grafana. */
export function drawPanel(panel: PanelDefinition, id: number): PanelBuilder {
  const { look, title, description, unit, width, height = usualHeight, emptyWhenHealthy, opens, rules = [] } = panel;
  const drawn = lookOf(panel)
    .id(id)
    .title(title)
    .description(description)
    .datasource(datasource)
    .unit(unit)
    .span(width)
    .height(height)
    .targets(queriesOf(panel))
    .links(runbookLinks(rules));
  if (emptyWhenHealthy !== undefined) drawn.noValue(`Nothing: ${emptyWhenHealthy}`);
  if (opens !== undefined) drawn.dataLinks([clusterLink(opens, look === 'table' ? 'table' : 'curve')]);
  return withScale(withColors(drawn, panel), panel);
}

function withScale(drawn: PanelBuilder, { scale }: PanelDefinition): PanelBuilder {
  if (scale?.min !== undefined) drawn.min(scale.min);
  if (scale?.max !== undefined) drawn.max(scale.max);
  return drawn;
}

function withColors(drawn: PanelBuilder, { steps, states }: PanelDefinition): PanelBuilder {
  if (steps !== undefined) drawn.thresholds(thresholdsOf(steps));
  if (states !== undefined) {
    drawn.mappings(mappingsOf(states)).colorScheme(new FieldColorBuilder().mode(FieldColorModeId.Thresholds));
  }
  return drawn;
}

function thresholdsOf(steps: readonly Step[]): ThresholdsConfigBuilder {
  return new ThresholdsConfigBuilder()
    .mode(ThresholdsMode.Absolute)
    .steps(steps.map(({ from, color }, at) => ({ value: at === 0 ? null : from, color })));
}

function mappingsOf(states: readonly State[]): ValueMapping[] {
  const options = states.map(({ value, text, color }, index) => [String(value), { text, color, index }] as const);
  return [{ type: MappingType.ValueToText, options: Object.fromEntries(options) }];
}
