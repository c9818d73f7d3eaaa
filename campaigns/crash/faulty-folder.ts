import { mkdir, rename, rm, writeFile } from 'node:fs/promises';

/** What is in the place of the state folder while it is away. */
export const obstacles = ['nothing', 'a file', 'an empty folder'] as const;

/** One of {@link obstacles}. */
export type Obstacle = (typeof obstacles)[number];

/** State folder that goes away and returns, like a file system that is mounted late or unmounted for a while. */
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

  /** Moves the folder back over whatever is in its place. */
  async giveBack(): Promise<void> {
    await rename(this.path, `${this.path}.covered`).catch(() => undefined);
    await rename(`${this.path}.away`, this.path);
    await rm(`${this.path}.covered`, { recursive: true, force: true });
  }
}
