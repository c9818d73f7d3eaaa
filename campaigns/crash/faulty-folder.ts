import { existsSync, renameSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { migrations } from '../../src/runtime/store/migrations.ts';
import { openReadOnlyDatabase } from '../../src/runtime/store/read-only-database.ts';

/** Contents of the path of the state directory while the folder is absent. */
export const obstacles = ['nothing', 'a file', 'an empty folder'] as const;

/** One of {@link obstacles}. */
export type Obstacle = (typeof obstacles)[number];

/** State directory that can be absent, like a file system that is mounted late or unmounted for a while. */
export class FaultyFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Moves the folder away and puts an obstacle in its place. */
  async takeAway(obstacle: Obstacle): Promise<void> {
    await mkdir(this.path, { recursive: true });
    await rename(this.path, `${this.path}.away`);
    if (obstacle === 'a file') await writeFile(this.path, '');
    if (obstacle === 'an empty folder') await mkdir(this.path);
  }

  /** Moves the folder back and replaces the obstacle. */
  async giveBack(): Promise<void> {
    const covered = `${this.path}.covered`;
    while (!this.#swap(covered)) await rm(covered, { recursive: true, force: true });
    await rm(covered, { recursive: true, force: true });
  }

  /** Time of the last status change in the database of the folder; undefined if it has none. */
  lastChangeAt(): number | undefined {
    const opened = openReadOnlyDatabase(this.path, migrations);
    if (!opened.ok) return undefined;
    const [newest] = opened.value.find({ table: 'transitions', order: ['-at'], limit: 1 });
    opened.value.close();
    return newest === undefined ? undefined : Number(newest.at);
  }

  /** Replaces the obstacle by the folder. Synchronous, so that a daemon rarely finds the path free; returns false if it created a folder there. */
  #swap(covered: string): boolean {
    if (existsSync(this.path)) renameSync(this.path, covered);
    try {
      renameSync(`${this.path}.away`, this.path);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY') return false;
      throw error;
    }
  }
}
