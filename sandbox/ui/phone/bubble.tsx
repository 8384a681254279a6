import { useState } from 'react';
import { clockTime, counted } from '../frame/format.js';
import { Icon, type IconName } from '../frame/icons.js';
import type { MessageView } from './phone-api.js';

const ARRIVES_WITHIN_MS = 3_000;

const statusWords: Record<string, { icon: IconName; word: string; tone: string }> = {
  accepted: { icon: 'queued', word: 'Accepted', tone: '' },
  queued: { icon: 'queued', word: 'Queued', tone: '' },
  sent: { icon: 'sent', word: 'Sent', tone: '' },
  delivered: { icon: 'delivered', word: 'Delivered', tone: 'good' },
  undelivered: { icon: 'undelivered', word: 'Not delivered', tone: 'bad' },
};

/** One message: what the product sent on the left, replies on the right; time, parts and fate below. */
export function Bubble({ message }: { message: MessageView }) {
  const [isArriving] = useState(() => Date.now() - Date.parse(message.at) < ARRIVES_WITHIN_MS);
  const { icon, word, tone } = message.mine ? replyStatus(message.productStatus) : sentStatus(message);
  return (
    <li className={['message', message.mine && 'mine', isArriving && 'arriving'].filter(Boolean).join(' ')}>
      <span className="visually-hidden">{message.mine ? 'You wrote:' : `From ${message.sender}:`}</span>
      <p className="bubble" dir="auto">
        {message.text}
      </p>
      <p className="meta">
        <time dateTime={message.at}>{clockTime(message.at)}</time>
        <span>{counted(message.segments, 'segment')}</span>
        <span className={`status ${tone}`}>
          <Icon name={icon} size={15} /> {word}
        </span>
      </p>
    </li>
  );
}

function sentStatus({ status, problem }: MessageView): { icon: IconName; word: string; tone: string } {
  const known = statusWords[status] ?? { icon: 'queued' as const, word: status, tone: '' };
  return problem === null ? known : { ...known, word: `${known.word} (${problem})` };
}

function replyStatus(productStatus: number | null): { icon: IconName; word: string; tone: string } {
  if (productStatus === null) return { icon: 'queued', word: 'On its way', tone: '' };
  if (productStatus === 0) return { icon: 'undelivered', word: 'Not taken: the product did not answer', tone: 'bad' };
  if (productStatus >= 200 && productStatus < 300) return { icon: 'sent', word: 'Taken by the product', tone: 'good' };
  return { icon: 'undelivered', word: `Not taken: the product answered ${productStatus}`, tone: 'bad' };
}
