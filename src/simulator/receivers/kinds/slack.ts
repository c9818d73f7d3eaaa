import { z } from 'zod';
import { text } from '../../replies.ts';
import { jsonOf, type Kind, type Taking } from '../kind.ts';
import type { Told } from '../letter.ts';

const message = z.object({ text: z.string().optional(), blocks: z.array(z.unknown()).optional() });

/** A Slack incoming webhook: it keeps texts line by line, and knows nothing of incidents. */
export const slack: Kind = {
  address: '/services/T00000000/B00000000/simulated',
  path: '/services/T00000000/B00000000/simulated',
  take(body) {
    const read = message.safeParse(jsonOf(body));
    if (!read.success) return refused('invalid_payload');
    const { text: said = '', blocks = [] } = read.data;
    if (said === '' && blocks.length === 0) return refused('no_text');
    return { kept: said.split('\n').map(toldBy), reply: text('ok', 'text/html') };
  },
};

/** What stands in brackets at the end of a line and ends in a number is taken for the id of an episode. */
function toldBy(line: string): Told {
  const episode = /\(([^\s()]+-\d+)(?:,[^()]*)?\)$/.exec(line)?.[1] ?? '';
  return { action: 'message', key: '', episode, summary: line };
}

function refused(word: string): Taking {
  return { kept: [], reply: { ...text(word), status: 400 } };
}
