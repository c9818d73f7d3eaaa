import { describe, expect, it } from 'vitest';
import { formatReplay } from '../../../src/cli/commands/guard-replay.ts';
import { RecordingReader } from '../../../src/guard/recording/format.ts';
import { createRecorder, type ReceivedList } from '../../../src/guard/recording/recorder.ts';
import { Replay } from '../../../src/guard/recording/replay.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { settingsOf } from '../decision/guard-simulation.ts';
import { at } from '../observations.ts';
import { policyOf } from '../parsed-policy.ts';
import { givenAway, plantedEntries } from './planted-secrets.ts';
import { recordingOptions } from './recordings.ts';

const count = 1300;
const secrets = plantedEntries(count);
const plants = secrets.map(({ plant }) => plant);
const settings = settingsOf([
  policyOf({
    name: 'named',
    mode: 'enforce',
    when: { age: '> 30s', params: { name: ['*example.org', 're:^[A-Z].*$'] } },
    grace: '1s',
  }),
  policyOf({ name: 'old', mode: 'enforce', when: { age: '> 30s' }, grace: '1s', victims: { max: 20 } }),
]);

/** Every list has all of them, each time a bit older. */
function entriesAt(time: number): readonly object[] {
  return secrets.map(({ entry }) => {
    const isProper = typeof entry.elapsedTime === 'number';
    return isProper ? { ...entry, elapsedTime: 60_000 + time } : entry;
  });
}

function receivedAt(time: number): ReceivedList {
  const message = `hello ${plants[7]?.value}`;
  const answer = ok({ error: false, message, results: entriesAt(time) });
  return {
    node: 'n1',
    answer,
    started: at(60_000 + time),
    received: at(60_020 + time),
  };
}

function failedAt(time: number): ReceivedList {
  const answer = err(failure('body', `not for ${plants[3]?.value}`, { code: 'REST-1' }));
  return { ...receivedAt(time), answer };
}

const recording = createRecorder(recordingOptions({ settings }));
const lines = [
  JSON.stringify(recording.header),
  ...[0, 5000, 10_000, 15_000, 20_000].map((time) => JSON.stringify(recording.listed(receivedAt(time)))),
  JSON.stringify(recording.listed(failedAt(25_000))),
];

describe('user data', () => {
  it(`is in ${count} entries of each list`, () => {
    const missing = entriesAt(0).filter((entry, index) => {
      return givenAway(JSON.stringify(entry), plants.slice(index, index + 1)).length === 0;
    });
    expect(missing).toEqual([]);
    expect(new Set(plants.map(({ value }) => value)).size).toBe(count);
  });

  it('is not in a recording', () => {
    expect(givenAway(lines.join('\n'), plants)).toEqual([]);
    expect(lines[1]?.match(/"query":"\/query\/fraud\/ring_scan"/g)?.length).toBeGreaterThan(300);
  });

  it('is not in the output of a replay with decisions', () => {
    const reader = new RecordingReader();
    const items = lines.map((text) => reader.read({ text, isWhole: true }));
    const events = items.flatMap((item) => (item.ok && item.value.kind === 'event' ? [item.value.event] : []));
    expect(events).toHaveLength(6);
    const replay = new Replay(settings, recording.header);
    for (const event of events) replay.feed(event);
    const report = replay.finish();
    expect(report.policies.map(({ policy, matches }) => [policy, matches > 0])).toEqual([
      ['named', true],
      ['old', true],
    ]);
    expect(report.decisions.filter(({ result }) => result === 'aborted').length).toBeGreaterThan(0);
    expect(givenAway(JSON.stringify(report) + formatReplay(report), plants)).toEqual([]);
  });

  it('is not in the errors about a recording that contains it', () => {
    const reader = new RecordingReader();
    reader.read({ text: JSON.stringify(recording.header), isWhole: true });
    const complaints = secrets.map(({ entry, plant }) => {
      const line = { event: 'listed', node: 'n1', [plant.value]: plant.value, list: { entries: [entry] } };
      const item = reader.read({ text: JSON.stringify(line), isWhole: true });
      return item.ok ? '' : item.error;
    });
    expect(complaints.every((one) => /^line \d+ is not a valid event of a recording/.test(one))).toBe(true);
    expect(givenAway(complaints.join('\n'), plants)).toEqual([]);
  });
});
