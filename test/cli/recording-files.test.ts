import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDaemonRecording } from '../../src/cli/recording-files.ts';
import { lineFiles } from '../../src/runtime/line-files.ts';
import { at, epoch } from '../guard/observations.ts';
import { headerOf, listedAt } from '../guard/recording/recordings.ts';
import { temporaryFolder } from '../support/live-ports.ts';

const lines = (...all: readonly object[]): string => all.map((line) => `${JSON.stringify(line)}\n`).join('');

async function recordingFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(await temporaryFolder(), 'recordings');
  await mkdir(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

async function read(folder: string, since = epoch, files = lineFiles): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for await (const item of readDaemonRecording({ folder, cluster: 'prod', since, missing: 'no recording' }, files)) {
    if (!item.ok) all.push(item.error);
    else if (item.value.kind === 'event' && item.value.event.event !== 'graphs')
      all.push(item.value.event.at.wall - epoch);
  }
  return all;
}

describe('the recording of a daemon', () => {
  it('joins the files of the cluster from a time on', async () => {
    const folder = await recordingFolder({
      '00000001-prod.jsonl': lines(headerOf(), listedAt(0), listedAt(5000)),
      '00000002-lab.jsonl': lines(headerOf({ cluster: 'lab' }), listedAt(1)),
      '00000003-prod.jsonl': lines(headerOf(), listedAt(10_000)),
      'notes.jsonl': 'notes',
    });
    expect(await read(folder)).toEqual([0, 5000, 10_000]);
    expect(await read(folder, at(5000).wall)).toEqual([5000, 10_000]);
  });

  it('skips incomplete last lines and files without a header', async () => {
    const folder = await recordingFolder({
      '00000001-prod.jsonl': lines(headerOf(), listedAt(0)) + lines(listedAt(5000)).slice(0, -9),
      '00000002-prod.jsonl': '',
      '00000003-prod.jsonl': lines(headerOf()).slice(0, -1),
      '00000004-prod.jsonl': lines(headerOf(), listedAt(10_000)),
    });
    expect(await read(folder)).toEqual([0, 10_000]);
  });

  it('skips a file that the daemon removes during the read', async () => {
    const folder = await recordingFolder({
      '00000001-prod.jsonl': lines(headerOf(), listedAt(0)),
      '00000002-prod.jsonl': lines(headerOf(), listedAt(5000)),
    });
    const opened = new Set<string>();
    const vanishing: typeof lineFiles = {
      ...lineFiles,
      read: (path) => {
        const isGone = path.includes('00000001') && opened.has(path);
        opened.add(path);
        return lineFiles.read(isGone ? `${path}.gone` : path);
      },
    };
    expect(await read(folder, epoch, vanishing)).toEqual([5000]);
  });

  it('does not open files that end before that time', async () => {
    const folder = await recordingFolder({
      '00000001-prod.jsonl': lines(headerOf(), listedAt(0)),
      '00000002-prod.jsonl': lines(headerOf(), listedAt(5000)),
    });
    await utimes(join(folder, '00000001-prod.jsonl'), epoch / 1000, epoch / 1000);
    const opened: string[] = [];
    const counted: typeof lineFiles = {
      ...lineFiles,
      read: (path) => {
        opened.push(path);
        return lineFiles.read(path);
      },
    };
    expect(await read(folder, at(5000).wall, counted)).toEqual([5000]);
    expect(opened.filter((path) => path.includes('00000001'))).toEqual([]);
  });

  it('reports a damaged line with its file', async () => {
    const folder = await recordingFolder({ '00000001-prod.jsonl': `${lines(headerOf(), listedAt(0))}damaged\n` });
    expect(await read(folder)).toEqual([0, `${folder}/00000001-prod.jsonl: line 3 is not a JSON object`]);
  });

  it('reports a missing recording', async () => {
    const folder = await recordingFolder({ '00000001-lab.jsonl': lines(headerOf({ cluster: 'lab' })) });
    expect(await read(folder)).toEqual([`no recording in '${folder}'`]);
    expect(await read(`${folder}/none`)).toEqual([`no recording in '${folder}/none'`]);
  });
});
