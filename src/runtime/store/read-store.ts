import { ok, type Result } from '../../kernel/result.ts';
import type { Store } from '../../kernel/store.ts';
import { LocalStore } from './local-store.ts';
import { migrations } from './migrations.ts';
import { openForReading } from './read-file.ts';

/** The state that a stopped daemon left in its folder, for commands that look at it. Nothing can be committed. */
export async function readStore(folder: string): Promise<Result<Store, string>> {
  const opened = openForReading(folder, migrations);
  return opened.ok ? ok(new LocalStore(opened.value, { trouble: 'the state is open for reading alone' })) : opened;
}
