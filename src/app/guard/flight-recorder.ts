import type { GuardInput } from '../../guard/decision/input.ts';
import type { GuardOutput, Intent } from '../../guard/decision/output.ts';
import type { GuardState } from '../../guard/decision/state.ts';
import { pinnedInstance } from '../../guard/instances.ts';
import type { RecordingEvent } from '../../guard/recording/format.ts';
import { guardSettingsHash } from '../../guard/recording/guard-settings-hash.ts';
import { createRecorder, listTimeField, type ReceivedList, type Recorder } from '../../guard/recording/recorder.ts';
import { ok } from '../../kernel/result.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import type { Digest } from '../../kernel/system.ts';
import type { Instant, Millis } from '../../kernel/time.ts';
import { counter, gauge, type Metric, type Sample, sample } from '../../metric/metric.ts';
import type { ClusterGuardSettings } from './cluster-guard-settings.ts';
import { evidenceFolder, RecordingFiles, type RecordingFilesContext, type RecordingStream } from './recording-files.ts';

const size = gauge({
  name: 'graphwarden_guard_recording_bytes',
  help: 'Size of the recording files of the guard.',
  source: 'measured by graphwarden',
});
const dropped = counter({
  name: 'graphwarden_guard_recording_lines_dropped_total',
  help: 'Lines missing from the recording of the guard, because the disk was full, slow or failing.',
  source: 'measured by graphwarden',
});

/** Metric families of the flight recorder. */
export const recordingMetrics: readonly Metric[] = [size, dropped];

/** Dependencies of a {@link FlightRecorder}. */
export interface FlightRecorderContext extends RecordingFilesContext {
  readonly digest: Digest;
}

/** Step of the guard of a cluster, and the state after it. */
export interface RecordedGuardStep {
  readonly settings: ClusterGuardSettings;
  readonly input: GuardInput;
  readonly outputs: readonly GuardOutput[];
  readonly state: GuardState;
}

/** Part of the maximum size that holds the evidence of aborts. */
const evidenceShare = 0.25;
/** Time before an abort, and maximum time after it, whose lines belong to its evidence. */
const evidenceTime: Millis = 300_000;
/** Maximum number of characters of the lines before it. */
const maxEvidenceBefore = 2 ** 20;

interface AbortEvidence {
  readonly stream: RecordingStream;
  /** On the monotonic clock, if no outcome ends it before. */
  readonly until: Millis;
}

/** Input that is recorded: a list in portions, or a short event. */
type RecordedInput =
  | { readonly kind: 'list'; readonly list: ReceivedList }
  | { readonly kind: 'event'; readonly toEvent: (recorder: Recorder) => RecordingEvent };

interface SerializedHeader {
  readonly pinned: readonly (string | undefined)[];
  readonly graphs: ReadonlySet<string>;
  readonly text: string;
}

interface ClusterRecording {
  readonly settings: ClusterGuardSettings;
  readonly recorder: Recorder;
  /** Latest header, and the state that it contains. */
  header: SerializedHeader | undefined;
  /** Latest lines, oldest first. */
  readonly recent: { readonly at: Millis; readonly line: string }[];
  /** Files of the aborts in progress, by the key of their decisions. */
  readonly aborts: Map<string, AbortEvidence>;
}

/**
 * Recorder of what the guards receive, in the format of `guard record`. Redaction and writes follow the step of the
 * guard and never delay it.
 */
export class FlightRecorder {
  readonly #context: FlightRecorderContext;
  readonly #files: RecordingFiles;
  /** Lines around each abort, which outlive those of {@link #files}. */
  readonly #evidence: RecordingFiles;
  readonly #redactions = new SerialQueue();
  readonly #recordings = new Map<string, ClusterRecording>();
  /** Makes the monotonic times of different runs comparable: each run starts at its wall-clock time. */
  readonly #offset: Millis;

  constructor(context: FlightRecorderContext) {
    this.#context = context;
    this.#files = new RecordingFiles(context);
    this.#evidence = new RecordingFiles({ ...context, folder: evidenceFolder(context.folder) });
    const { wall, mono } = context.clock.now();
    this.#offset = wall - mono;
  }

  /** Records the input, if it is a list or the value of a gate, and the evidence of aborts. */
  record({ settings, input, outputs, state }: RecordedGuardStep): void {
    if (!settings.guard.recording.enabled) return;
    const now = this.#context.clock.now();
    const event = this.#eventOf(input, now);
    const aborts = outputs.filter((output) => output.kind === 'intent' || output.kind === 'outcome');
    if (event === undefined && aborts.length === 0) return;
    const recording = this.#recordingOf(settings);
    const header = headerOf(recording, state, now);
    if (event !== undefined) void this.#redactions.run(() => this.#recordEvent(event, recording, header));
    for (const output of aborts) {
      void this.#redactions.run(() => {
        if (output.kind === 'intent') this.#beginEvidence(output.intent, recording, header);
        else this.#endEvidence(output.key, recording);
      });
    }
  }

  /** Samples of {@link recordingMetrics}. */
  samples(): readonly Sample[] {
    return [
      sample(size, {}, this.#files.size + this.#evidence.size),
      sample(dropped, {}, this.#files.dropped + this.#evidence.dropped),
    ];
  }

  /** Writes what was recorded, and closes the files. */
  async stop(): Promise<void> {
    await this.#redactions.idle();
    await Promise.all([this.#files.close(), this.#evidence.close()]);
  }

  /** Runs after the step of the guard, because the redaction of a long list takes time. */
  async #recordEvent(event: RecordedInput, recording: ClusterRecording, header: string): Promise<void> {
    const { clock } = this.#context;
    await clock.yieldToEventLoop();
    const line = await this.#jsonOf(event, recording);
    const { cluster, guard } = recording.settings;
    const { maxSize, maxAge } = guard.recording;
    this.#files.append({ key: cluster, label: cluster, header }, line, {
      maxSize: maxSize * (1 - evidenceShare),
      maxAge,
    });
    const at = clock.now().mono;
    for (const [key, { stream, until }] of recording.aborts) {
      if (at > until) this.#endEvidence(key, recording);
      else this.#recordEvidence({ ...stream, header }, line, recording);
    }
    remember(recording.recent, { at, line });
  }

  async #jsonOf(event: RecordedInput, { recorder }: ClusterRecording): Promise<string> {
    if (event.kind === 'event') return JSON.stringify(event.toEvent(recorder));
    const portions = recorder.listedJson(event.list);
    let next = portions.next();
    for (; next.done !== true; next = portions.next()) await this.#context.clock.yieldToEventLoop();
    return next.value;
  }

  #beginEvidence({ key, cluster, node, id }: Intent, recording: ClusterRecording, header: string): void {
    const stream = { key, label: `${cluster}-${node}-${id}`, header };
    recording.aborts.set(key, { stream, until: this.#context.clock.now().mono + evidenceTime });
    for (const { line } of recording.recent) this.#recordEvidence(stream, line, recording);
  }

  #endEvidence(key: string, { aborts }: ClusterRecording): void {
    aborts.delete(key);
    this.#evidence.end(key);
  }

  #recordEvidence(stream: RecordingStream, line: string, { settings }: ClusterRecording): void {
    const maxSize = settings.guard.recording.maxSize * evidenceShare;
    this.#evidence.append(stream, line, { maxSize, maxAge: Number.POSITIVE_INFINITY });
  }

  #recordingOf(settings: ClusterGuardSettings): ClusterRecording {
    const known = this.#recordings.get(settings.cluster);
    if (known?.settings === settings) return known;
    const { cluster, nodes, instances, interval, guard, gateSources: gates } = settings;
    const hash = guardSettingsHash(guard, this.#context.digest);
    const about = { cluster, nodes, instances, interval, graphs: [], guard: hash, settings: guard, gates };
    const aborts = known?.aborts ?? new Map<string, AbortEvidence>();
    // Earlier lines contain the results of other conditions on parameters.
    const recording = { settings, recorder: createRecorder(about), header: undefined, recent: [], aborts };
    this.#recordings.set(cluster, recording);
    return recording;
  }

  /** Returns how to make the line of an input; undefined if it is not recorded. */
  #eventOf(input: GuardInput, now: Instant): RecordedInput | undefined {
    const at = this.#recordedTime(now);
    if (input.kind === 'listed') {
      const { node, body, times, listTime } = input;
      const started = this.#recordedTime(times.started);
      return { kind: 'list', list: { node, answer: ok(body), started, received: at, listTime } };
    }
    if (input.kind === 'unlisted') {
      const { node, skipReason, listTime } = input;
      const known = { ...(skipReason && { skip_reason: skipReason }), ...listTimeField(listTime) };
      return { kind: 'event', toEvent: () => ({ event: 'unlisted', node, at, ...known }) };
    }
    if (input.kind !== 'gate_value') return undefined;
    const pressure = { ...input.pressure, at: now.mono };
    return { kind: 'event', toEvent: (recorder) => recorder.gateValue(pressure, at) };
  }

  #recordedTime({ wall, mono }: Instant): Instant {
    return { wall, mono: mono + this.#offset };
  }
}

/**
 * Returns the header with what a replay that starts here needs to know of earlier lists. It is serialized again only if
 * that changed, because it has all nodes and graphs, and each line compares its header.
 */
function headerOf(recording: ClusterRecording, { instances, graphs }: GuardState, now: Instant): string {
  const { settings, recorder, header: known } = recording;
  const pinned = settings.nodes.map((node) => pinnedInstance(instances, node, now.mono));
  if (known?.graphs === graphs && pinned.every((one, index) => one === known.pinned[index])) return known.text;
  const named = settings.nodes.flatMap((node, index) => {
    const instance = pinned[index];
    return instance === undefined ? [] : [[node, instance] as const];
  });
  const text = JSON.stringify({ ...recorder.header, instances: Object.fromEntries(named), graphs: [...graphs] });
  recording.header = { pinned, graphs, text };
  return text;
}

function remember(recent: ClusterRecording['recent'], entry: ClusterRecording['recent'][number]): void {
  recent.push(entry);
  let length = recent.reduce((sum, { line }) => sum + line.length, 0);
  while (recent[0] !== undefined && (length > maxEvidenceBefore || recent[0].at < entry.at - evidenceTime)) {
    length -= recent[0].line.length;
    recent.shift();
  }
}
