import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseReference } from '../../tools/build/image-digests.ts';

const dockerfile = await readFile('Dockerfile', 'utf8');
/** The instructions, each on one line, without the comments. */
const instructions = dockerfile
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '');
const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));

describe('Dockerfile', () => {
  it('names its base images by tag and digest', () => {
    const from = instructions.filter((line) => line.startsWith('FROM '));
    expect(from).toEqual([
      'FROM ${BASE} AS base',
      'FROM --platform=$BUILDPLATFORM ${BUILDER} AS build',
      'FROM scratch AS bill',
      'FROM base',
    ]);
    const bases = instructions.flatMap((line) => /^ARG (?:BASE|BUILDER)=(.*)$/.exec(line)?.[1] ?? []);
    expect(bases).toHaveLength(2);
    for (const name of bases) {
      const { tag, digest } = parseReference(name);
      expect(tag).not.toBe('latest');
      expect(digest).toMatch(/^sha256:/);
    }
  });

  it('has defaults for the version and the commit, and labels with both', () => {
    const words = last.filter((line) => line.startsWith('ARG '));
    expect(words).toEqual(['ARG BASE', 'ARG VERSION=unreleased', 'ARG COMMIT=unknown']);
    const [labels = ''] = last.filter((line) => line.startsWith('LABEL '));
    for (const name of ['version="${VERSION}"', 'revision="${COMMIT}"', 'base.name="${BASE}"']) {
      expect(labels).toContain(`org.opencontainers.image.${name}`);
    }
  });

  it('runs no command in the final image, which has no shell', () => {
    expect(last.filter((line) => /^(?:RUN|SHELL|ADD)\b/.test(line))).toEqual([]);
  });

  it.each(['ENTRYPOINT', 'CMD'])('has %s as a list, which needs no shell', (name) => {
    const [line = ''] = last.filter((one) => one.startsWith(`${name} `));
    const words = z.array(z.string()).parse(JSON.parse(line.slice(name.length + 1)));
    expect(words.length).toBeGreaterThan(0);
  });

  it('limits the memory arenas of the C library, as the systemd unit does', async () => {
    expect(last).toContain('ENV MALLOC_ARENA_MAX=2');
    const unit = await readFile('examples/packaging/graphwarden.service', 'utf8');
    expect(unit).toContain('\nEnvironment=MALLOC_ARENA_MAX=2\n');
  });

  it('runs as a user with a number that is not 0', () => {
    expect(last.filter((line) => line.startsWith('USER '))).toEqual(['USER 65532:65532']);
  });

  it('has a build context with listed files only', async () => {
    const lines = (await readFile('.dockerignore', 'utf8')).split('\n').filter((line) => /^[^#]/.test(line));
    expect(lines[0]).toBe('*');
    expect(lines.slice(1).every((line) => line.startsWith('!'))).toBe(true);
  });
});
