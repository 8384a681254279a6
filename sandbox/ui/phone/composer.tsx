import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { segmentCount } from '../../carriers/segments.js';
import { counted, readableNumber } from '../frame/format.js';
import { call, problemOf } from '../frame/live.js';
import { IconArrowUp } from '../frame/icons.js';

const TEXT_CHARACTERS_MAX = 1600;

const LONG_TEXT =
  'This is a long text that does not fit into a single message, so the phone sends it in segments and the other side ' +
  'puts them together again. Up to 160 characters travel as one segment. Beyond that, each segment carries only 153 ' +
  'characters, because the rest numbers the segments. This text takes three segments altogether.';

const quickReplies = [
  { label: 'STOP', text: 'STOP' },
  { label: 'YES', text: 'YES' },
  { label: 'Long text', text: LONG_TEXT },
];

/** Writes to the product as the open number. */
export function Composer({ phone, sender }: { phone: string; sender: string }) {
  const [text, setText] = useState('');
  const reply = useMutation({
    mutationFn: (body: string) => call('/_control/inbound', { from: phone, to: sender, body }),
    onError: (_error, body) => setText((current) => (current === '' ? body : current)),
  });

  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    reply.mutate(text);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
  };

  return (
    <form className="composer" onSubmit={submit}>
      <div className="quick">
        {quickReplies.map((quick) => (
          <button key={quick.label} className="chip" type="button" onClick={() => reply.mutate(quick.text)}>
            <span className="visually-hidden">Send </span>
            {quick.label}
          </button>
        ))}
        <span className="count" aria-live="polite">
          {text === '' ? '' : counted(segmentCount(text), 'segment')}
        </span>
      </div>
      <div className="write">
        <textarea
          aria-label={`Write as ${readableNumber(phone)}`}
          placeholder="Write as this number"
          rows={1}
          maxLength={TEXT_CHARACTERS_MAX}
          value={text}
          dir="auto"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <button className="button primary icon-button" type="submit" disabled={text.trim() === ''} aria-label="Send">
          <IconArrowUp size={20} aria-hidden />
        </button>
      </div>
      {reply.isError && (
        <p className="bad" role="alert">
          Not sent. {problemOf(reply.error)}
        </p>
      )}
    </form>
  );
}
