import { abortOutcomes } from '../model/abort-outcomes.ts';
import type { PauseReason } from './guard-control.ts';

/** Why the guard may be paused, in the order in which that is told. */
export const pauseReasons: readonly PauseReason[] = ['operator', 'signal', 'file', 'unexpected_id', 'state_lost'];

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const instant = { type: 'string', format: 'date-time' };
const mode = { enum: ['observe', 'enforce'] };

const abortFields = {
  key: text,
  cluster: text,
  node: text,
  id: text,
  graph: text,
  query: text,
  policy: text,
  manual: { type: ['object', 'null'], properties: { by: text, reason: text } },
  ageSeconds: { type: 'number' },
  grantedTimeoutSeconds: { type: ['number', 'null'] },
  at: instant,
  outcome: { enum: [...abortOutcomes, null] },
  endedAt: { ...instant, type: ['string', 'null'] },
};

/** The JSON Schema of an abort. */
export const abortSchema = { type: 'object', properties: abortFields };

/** Of a decision. */
export const decisionSchema = {
  type: 'object',
  properties: {
    ...abortFields,
    mode: { enum: ['observe', 'enforce', 'manual'] },
    phase: { enum: ['grace', 'fresh', 'committing', 'sent', 'verifying', 'over'] },
    doubt: textOrNull,
    late: textOrNull,
  },
};

const pauseFields = {
  paused: { type: 'boolean' },
  reasons: { type: 'array', items: { enum: pauseReasons } },
};

/** Of what a pause or the end of one comes to. */
export const pauseSchema = { type: 'object', properties: pauseFields };

/** Of how the guard stands. */
export const guardSchema = {
  type: 'object',
  properties: {
    ...pauseFields,
    mode,
    policies: { type: 'array', items: { type: 'object', properties: { name: text, mode } } },
    breakers: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          cluster: text,
          key: text,
          reason: { enum: ['same_query', 'no_relief'] },
          graph: text,
          query: text,
          policy: text,
          since: instant,
        },
      },
    },
  },
};

const someText = { ...text, minLength: 1 };

/** Of the bodies that operators send. */
export const orderSchemas = {
  abort: {
    type: 'object',
    required: ['reason'],
    additionalProperties: false,
    properties: { reason: { ...someText, maxLength: 500 }, whilePaused: { type: 'boolean', default: false } },
  },
  breaker: {
    type: 'object',
    required: ['cluster', 'breaker'],
    additionalProperties: false,
    properties: { cluster: someText, breaker: someText },
  },
};
