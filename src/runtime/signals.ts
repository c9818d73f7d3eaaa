import type { Signals } from '../kernel/process.ts';

/** Where signals come from: the process, or an emitter in a test. */
export interface SignalSource {
  on(name: string, react: () => void): unknown;
  off(name: string, react: () => void): unknown;
}

/** The signals that `source`, the process, receives. */
export function signalsOf(source: SignalSource): Signals {
  return {
    on: (name, react) => {
      source.on(name, react);
      return () => void source.off(name, react);
    },
  };
}
