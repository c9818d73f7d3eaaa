import { isRecordingName } from '../app/guard/recording-files.ts';
import { type RecordingHeader, type RecordingItem, RecordingReader } from '../guard/recording/format.ts';
import { RecordingJoiner } from '../guard/recording/recording-joiner.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { LineFiles } from '../kernel/system.ts';

/** Reads a recording; an error is the last item. The last line of a growing file may be incomplete. */
export async function* readRecording(
  path: string,
  files: LineFiles,
  { isGrowing = false } = {},
): AsyncGenerator<Result<RecordingItem, string>> {
  const reader = new RecordingReader();
  let isEmpty = true;
  for await (const line of files.read(path)) {
    isEmpty = false;
    if (isGrowing && line.ok && !line.value.isWhole) return;
    const item = line.ok ? reader.read(line.value) : line;
    yield item.ok || !line.ok ? item : err(`${path}: ${item.error}`);
    if (!item.ok) return;
  }
  if (isEmpty) yield err(`${path}: empty recording`);
}

/** Part of the recording of a daemon. */
export interface DaemonRecording {
  readonly folder: string;
  /** Name of the cluster; absent for all clusters. */
  readonly cluster?: string | undefined;
  /** Part of the names of the files. */
  readonly name?: string;
  /** Milliseconds since the epoch. */
  readonly since?: number;
  /** Error text if the recording does not exist. */
  readonly missing: string;
}

/** Reads the files of a daemon, which may be running, as one recording; an error is the last item. */
export async function* readDaemonRecording(
  { folder, cluster, name: part = '', since = 0, missing }: DaemonRecording,
  files: LineFiles,
): AsyncGenerator<Result<RecordingItem, string>> {
  const listed = await files.list(folder);
  if (!listed.ok) {
    yield listed;
    return;
  }
  const recent = listed.value.filter(
    ({ name, modifiedAt }) => isRecordingName(name) && name.includes(part) && modifiedAt >= since,
  );
  const parts = (await Promise.all(recent.map(({ name }) => openPart(`${folder}/${name}`, files)))).flat();
  const [first, ...others] = parts.filter(({ header }) => cluster === undefined || header.cluster === cluster);
  if (first === undefined) {
    yield err(`${missing} in '${folder}'`);
    return;
  }
  const joiner = new RecordingJoiner([first.header, ...others.map(({ header }) => header)]);
  yield ok({ kind: 'header', header: joiner.header });
  for (const { path, header } of [first, ...others]) {
    let isRead = false;
    for await (const item of readRecording(path, files, { isGrowing: true })) {
      // An error at the start means that the daemon has removed the file meanwhile.
      if (!item.ok && isRead) yield item;
      isRead = true;
      if (!item.ok || item.value.kind === 'header' || item.value.event.at.wall < since) continue;
      for (const event of joiner.join(item.value.event, header)) yield ok({ kind: 'event', event });
    }
  }
}

interface RecordingPart {
  readonly path: string;
  readonly header: RecordingHeader;
}

/** Opens a file of a recording; undefined if it was removed in between, or if its header was not written. */
async function openPart(path: string, files: LineFiles): Promise<readonly RecordingPart[]> {
  for await (const item of readRecording(path, files, { isGrowing: true })) {
    return item.ok && item.value.kind === 'header' ? [{ path, header: item.value.header }] : [];
  }
  return [];
}
