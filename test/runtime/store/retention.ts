import type { Retention } from '../../../src/kernel/store.ts';

const day = 24 * 3600 * 1000;

/** Keeps everything that a test could want. */
export const generous: Retention = { transitions: 400 * day, audit: 400 * day, notifications: 30 * day, size: 2 ** 31 };
