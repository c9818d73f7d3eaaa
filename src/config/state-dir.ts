import { z } from 'zod';
import type { Environment } from './environment.ts';
import { topLevelReader } from './tolerant-yaml.ts';

const stateDir = z.string().min(1);

/** Returns the state directory of a configuration, whatever else is wrong with the text; undefined if it names none. */
export function readStateDir(text: string, environment: Environment): string | undefined {
  const found = stateDir.safeParse(topLevelReader(text, environment)('state_dir')?.value);
  return found.success ? found.data : undefined;
}
