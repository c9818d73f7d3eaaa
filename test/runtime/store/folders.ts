import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Retention } from '../../../src/kernel/store.ts';

const day = 24 * 3600 * 1000;

/** Keeps everything that a test could want. */
export const generous: Retention = { transitions: 400 * day, audit: 400 * day, notifications: 30 * day, size: 2 ** 31 };

/** A folder that goes with the test. */
export function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'graphwarden-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
