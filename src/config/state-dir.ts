import { z } from 'zod';
import type { Environment } from './environment.ts';
import { readYaml } from './yaml-source.ts';

const view = z.looseObject({ state_dir: z.string().min(1) });

/** Returns the state directory of a configuration, whatever else is wrong with the file; undefined if it names none. */
export function readStateDir(text: string, file: string, environment: Environment): string | undefined {
  const found = view.safeParse(readYaml(text, file, environment).value);
  return found.success ? found.data.state_dir : undefined;
}
