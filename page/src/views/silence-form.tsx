import { useState } from 'preact/hooks';
import { createdSilenceSchema, silencePreviewSchema } from '../../../src/api/alerts.ts';
import { act } from '../data.ts';
import { count } from '../format.ts';

const durations = ['30m', '1h', '2h', '4h', '8h', '24h'] as const;

/** Creates a silence, after a preview of the alerts that it matches. */
export function SilenceForm({
  matchers,
  onDone,
}: {
  readonly matchers: readonly string[];
  readonly onDone: () => void;
}) {
  const [text, setText] = useState(matchers.join('\n'));
  const [duration, setDuration] = useState<string>('2h');
  const [author, setAuthor] = useState('');
  const [reason, setReason] = useState('');
  const [message, setMessage] = useState('');
  const body = { matchers: text.split('\n').filter((line) => line.trim() !== ''), duration, author, reason };
  const preview = async (): Promise<void> => {
    const { matchedAlerts, warnings } = silencePreviewSchema.parse(await act('POST', '/api/v1/silences/preview', body));
    setMessage([`The silence matches ${count(matchedAlerts, 'alert')} now.`, ...warnings].join(' '));
  };
  const create = async (): Promise<void> => {
    createdSilenceSchema.parse(await act('POST', '/api/v1/silences', body));
    onDone();
  };
  const run = (action: () => Promise<void>) => (): void => {
    action().catch((error: unknown) => setMessage(error instanceof Error ? error.message : String(error)));
  };
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        run(create)();
      }}
    >
      <label>
        Matchers, one per line
        <textarea
          rows={Math.max(2, matchers.length)}
          cols={40}
          value={text}
          onInput={(e) => setText(e.currentTarget.value)}
        />
      </label>
      <label>
        Duration
        <select value={duration} onChange={(event) => setDuration(event.currentTarget.value)}>
          {durations.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label>
        Your name
        <input required maxLength={100} value={author} onInput={(event) => setAuthor(event.currentTarget.value)} />
      </label>
      <label>
        Reason
        <input required maxLength={1000} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <button type="button" onClick={run(preview)}>
        Preview
      </button>
      <button type="submit">Create silence</button>
      <output>{message}</output>
    </form>
  );
}
