import type { SpanDropReason } from '../../model/tracing.ts';

/** Why a batch did not arrive, in a sentence that holds nothing of what was sent or answered. */
export interface ExportTrouble {
  readonly reason: SpanDropReason;
  readonly message: string;
}

/** The file with the headers says nothing usable: told by its own class, since the library passes errors on as they are. */
export class HeadersError extends Error {}

/** Reads what the exporter of the library gave as the error of an export; what the far side wrote is left out. */
export function exportTrouble(error: Error | undefined): ExportTrouble {
  if (error instanceof HeadersError) return { reason: 'headers', message: error.message };
  const code = codeOf(error);
  if (typeof code === 'number') return { reason: 'refused', message: `it answered with status ${code}` };
  if (typeof code === 'string') return { reason: 'unreachable', message: `it cannot be reached: ${code}` };
  if (error?.name === 'OTLPExporterError') return { reason: 'refused', message: 'it was too busy, repeatedly' };
  if (error?.message === 'Request timed out') return { reason: 'timeout', message: 'it did not answer in time' };
  return { reason: 'unreachable', message: 'the exchange broke off' };
}

function codeOf(error: Error | undefined): string | number | undefined {
  if (error === undefined || !('code' in error)) return undefined;
  return typeof error.code === 'number' || typeof error.code === 'string' ? error.code : undefined;
}
