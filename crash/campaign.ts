import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One state folder to be played. */
export interface SceneOrder {
  /** The bundle that is started and killed. */
  readonly entry: string;
  readonly seed: number;
  readonly kills: number;
}

/** What all scenes together came to. */
export interface Sum {
  readonly lines: readonly string[];
  readonly isKept: boolean;
  /** Whether enough has happened for that to mean something. */
  readonly isTelling: boolean;
  /** What did not happen where it is not: `nothing was delivered`. */
  readonly lack: string;
}

/** Many scenes of one kind. */
export interface Campaign<Scene> {
  /** How often a daemon is killed in all, how often over one folder, from which seed on, and how many folders at once. */
  readonly size: { readonly runs: number; readonly lives: number; readonly seed: number; readonly jobs: number };
  readonly play: (order: SceneOrder) => Promise<Scene>;
  /** Called with each scene as soon as it is over. */
  readonly tell: (scene: Scene) => Promise<void>;
  readonly sum: (scenes: readonly Scene[]) => Sum;
}

/** The size as the command line says it. */
export function sizeOf(given: Readonly<Record<keyof Campaign<unknown>['size'], string>>): Campaign<unknown>['size'] {
  const { runs, lives, seed, jobs } = given;
  return { runs: Number(runs), lives: Number(lives), seed: Number(seed), jobs: Number(jobs) };
}

/** What was found wrong in a scene, and a sentence about it. */
export interface Found {
  readonly kind: string;
  readonly about: string;
}

/** Plays them all, says what they came to, and tells whether that is well. */
export async function run<Scene>(campaign: Campaign<Scene>): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-crash-'));
  const entry = join(folder, 'graphwarden.mjs');
  // The bundle starts in a third of the time, and stays what it is while somebody edits the sources.
  execFileSync(process.execPath, ['build/bundle.ts', entry], { stdio: 'ignore' });
  const began = performance.now();
  try {
    const scenes = await playAll(campaign, entry);
    const { lines, isKept, isTelling, lack } = campaign.sum(scenes);
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    process.stdout.write(`\n${lines.join('\n')}\n${scenes.length} state folders, ${minutes} min\n`);
    process.stdout.write(isKept ? 'All was kept.\n' : 'NOT all was kept.\n');
    if (!isTelling) process.stdout.write(`In most runs ${lack}: that says little.\n`);
    return isKept && isTelling;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A line about a scene, and below it what was found in it; with all that was seen in a file where that is something. */
export async function report(
  line: string,
  { seed, findings }: { readonly seed: number; readonly findings: readonly Found[] },
  { out, evidence }: { readonly out: string; readonly evidence: object },
): Promise<void> {
  process.stdout.write(`seed ${seed}: ${line}${findings.length === 0 ? '' : `, ${findings.length} FINDINGS`}\n`);
  for (const { kind, about } of findings) process.stdout.write(`  ${kind}: ${about.slice(0, 500)}\n`);
  if (findings.length === 0) return;
  await mkdir(out, { recursive: true });
  await writeFile(join(out, `seed-${seed}.json`), `${JSON.stringify({ findings, ...evidence }, null, 1)}\n`);
}

async function playAll<Scene>({ size, play, tell }: Campaign<Scene>, entry: string): Promise<readonly Scene[]> {
  const { runs, lives, seed, jobs } = size;
  const count = Math.ceil(runs / lives);
  const scenes: Scene[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      const scene = await play({ entry, seed: seed + index, kills: Math.min(lives, runs - index * lives) });
      scenes.push(scene);
      await tell(scene);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return scenes;
}
