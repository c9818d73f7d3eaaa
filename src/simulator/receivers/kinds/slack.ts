import { z } from 'zod';
import { text } from '../../replies.ts';
import { jsonOf, type Kind, type Taking } from '../kind.ts';

const message = z.object({ text: z.string().optional(), blocks: z.array(z.unknown()).optional() });

/** A Slack incoming webhook: it keeps texts, and knows nothing of incidents. */
export const slack: Kind = {
  address: '/services/T00000000/B00000000/simulated',
  path: '/services/T00000000/B00000000/simulated',
  take(body) {
    const read = message.safeParse(jsonOf(body));
    if (!read.success) return refused('invalid_payload');
    const { text: said = '', blocks = [] } = read.data;
    if (said === '' && blocks.length === 0) return refused('no_text');
    return { kept: [{ action: 'message', key: '', episode: '', summary: said }], reply: text('ok', 'text/html') };
  },
};

function refused(word: string): Taking {
  return { kept: [], reply: { ...text(word), status: 400 } };
}
