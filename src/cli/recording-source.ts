import { evidenceFolder, evidenceSuffix, recordingsFolder } from '../app/guard/recording-files.ts';
import type { Config } from '../config/config.ts';
import type { RecordingItem } from '../guard/recording/format.ts';
import { parseDuration } from '../kernel/duration.ts';
import type { Result } from '../kernel/result.ts';
import type { LineFiles } from '../kernel/system.ts';
import { formatDateTime } from '../kernel/timestamp.ts';
import { type CommandInput, type Flag, UsageError } from './command.ts';
import { selectCluster } from './config-option.ts';
import { readDaemonRecording, readRecording } from './recording-files.ts';

/** Lines of a recording; an error is the last item. */
export type RecordingItems = AsyncIterable<Result<RecordingItem, string>>;

/** Recording that the options of a call select. */
export interface RecordingSource {
  open(config: Config, files: LineFiles): RecordingItems;
  /** Whether the recording is a file of `guard record`. */
  readonly isFile: boolean;
  /** Request ID of the abort whose evidence is the recording. */
  readonly abort?: string;
}

/** Options that select a recording of the daemon instead of a file. */
export const sourceFlags: readonly Flag[] = [
  { name: 'last', value: 'DURATION', about: 'replay the last part of the recording of the daemon, such as 6h' },
  { name: 'cluster', value: 'NAME', about: 'cluster of --last; required if several are configured' },
  { name: 'abort', value: 'ID', about: 'replay and list the evidence of an abort, by the request ID of its query' },
];

/** Returns the recording that the options select. */
export function selectSource({ flags, arguments: [file] }: CommandInput, now: number): RecordingSource {
  const { last, abort, cluster } = flags;
  if ([file, last, abort].filter((given) => given !== undefined).length !== 1)
    throw new UsageError('exactly one of the argument RECORDING and the options --last and --abort is required');
  if (file !== undefined) return { isFile: true, open: (_, files) => readRecording(file, files) };
  if (abort !== undefined) return { isFile: false, abort, open: (config, files) => readEvidence(config, abort, files) };
  const length = parseDuration(last ?? '');
  if (!length.ok || length.value === 0) throw new UsageError('--last must be a duration such as 6h');
  const since = Math.max(0, now - length.value);
  return {
    isFile: false,
    open: (config, files) => {
      const { name } = selectCluster(config, cluster);
      const missing = `no recording of cluster '${name}' since ${formatDateTime(since)}Z`;
      return readDaemonRecording({ folder: recordingsFolder(config.stateDir), cluster: name, since, missing }, files);
    },
  };
}

function readEvidence({ stateDir }: Config, id: string, files: LineFiles): RecordingItems {
  const missing = `no evidence of an abort of query '${id}'`;
  const folder = evidenceFolder(recordingsFolder(stateDir));
  return readDaemonRecording({ folder, name: evidenceSuffix(id), missing }, files);
}
