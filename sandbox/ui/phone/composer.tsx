import { useState, type FormEvent, type KeyboardEvent } from 'react';
import { segmentCount } from '../../twilio/segments.js';
import { counted, readableNumber } from '../frame/format.js';
import { Icon } from '../frame/icons.js';
import { sendReply } from './phone-api.js';

const TEXT_CHARACTERS_MAX = 1600;

const LONG_TEXT =
  'This is a long text, so that you can see what happens to one: it does not fit into a single message, so the phone ' +
  'sends it in parts and the other side puts them together again. Up to 160 characters travel as one segment; beyond ' +
  'that each segment carries 153, because the rest says which part it is. This one takes three.';

const quickReplies = [
  { label: 'STOP', text: 'STOP' },
  { label: 'YES', text: 'YES' },
  { label: 'Long text', text: LONG_TEXT },
];

/** Writes as the open number to the product. */
export function Composer({ phone, sender }: { phone: string; sender: string }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  const send = (reply: string) => {
    setProblem(null);
    sendReply(phone, sender, reply).catch((error: unknown) => {
      setProblem(`Not sent. ${error instanceof Error ? error.message : 'The sandbox could not be reached.'}`);
      setText((current) => (current === '' ? reply : current));
    });
  };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === '') return;
    send(text);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };

  return (
    <form className="composer" onSubmit={submit}>
      <div className="quick">
        {quickReplies.map((reply) => (
          <button key={reply.label} className="chip" type="button" onClick={() => send(reply.text)}>
            <span className="visually-hidden">Send </span>
            {reply.label}
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
          <Icon name="send" />
        </button>
      </div>
      {problem !== null && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
