import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import type { MessageView } from '../../phone/phone.routes.js';
import { counted, readableNumber } from '../frame/format.js';
import { IconArrowUp } from '../frame/icons.js';
import { call, problemOf } from '../frame/live.js';

const TEXT_CHARACTERS_MAX = 1600;

interface ChatComposerProps {
  readonly phone: string;
  /** The product's WhatsApp number. */
  readonly sender: string;
  /** Delivered messages that the person has not read. */
  readonly unread: readonly MessageView[];
}

/** Reads and writes as the open number in its WhatsApp chat with the product. */
export function ChatComposer({ phone, sender, unread }: ChatComposerProps) {
  const [text, setText] = useState('');
  const reply = useMutation({
    mutationFn: (body: string) => call('/_control/whatsapp/inbound', { from: phone, to: sender, body }),
    onError: (_error, body) => setText((current) => (current === '' ? body : current)),
  });
  const read = useMutation({
    mutationFn: () => Promise.all(unread.map(({ sid }) => call('/_control/whatsapp/read', { sid }))),
  });
  const isEmpty = text.trim() === '';
  const problem = reply.error ?? read.error;

  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (isEmpty) return;
    reply.mutate(text);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
  };

  return (
    <form className="composer" onSubmit={submit}>
      <div className="quick">
        <button
          className="chip"
          type="button"
          disabled={unread.length === 0 || read.isPending}
          onClick={() => read.mutate()}
        >
          Mark as read
        </button>
        <span className="count" aria-live="polite">
          {unread.length === 0 ? 'All read' : `${counted(unread.length, 'message')} not read`}
        </span>
      </div>
      <div className="write">
        <textarea
          aria-label={`Write as ${readableNumber(phone)} in WhatsApp`}
          placeholder={`Write to ${readableNumber(sender)}`}
          rows={1}
          maxLength={TEXT_CHARACTERS_MAX}
          value={text}
          dir="auto"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <button className="button primary icon-button" type="submit" disabled={isEmpty} aria-label="Send">
          <IconArrowUp size={20} aria-hidden />
        </button>
      </div>
      {problem !== null && (
        <p className="bad" role="alert">
          {problemOf(problem)}
        </p>
      )}
    </form>
  );
}
