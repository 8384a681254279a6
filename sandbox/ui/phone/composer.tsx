import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type ClipboardEvent, type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { TEXTS_ONLY } from '../../carriers/message.js';
import { segmentCount } from '../../carriers/segments.js';
import { counted, readableNumber } from '../frame/format.js';
import { call, problemOf } from '../frame/live.js';
import { IconArrowUp, IconPhoto } from '../frame/icons.js';

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

/** Sample files that the phone can send, harmless and hostile. */
const samples = [
  ['photo', 'A photo with its place'],
  ['animated-gif', 'An animation'],
  ['svg-as-png', 'A script as a drawing'],
  ['html-as-png', 'A page as a picture'],
  ['polyglot', 'A picture that is a page too'],
  ['bomb', 'A picture of 400 million pixels'],
  ['zeros', '10 MB of zeros'],
] as const;

interface Attached {
  readonly name: string;
  /** The file as the control API takes it. */
  readonly file: { readonly sample: string } | { readonly type: string; readonly data: string };
}

interface ComposerProps {
  readonly phone: string;
  /** The product's number. */
  readonly sender: string;
  /** Whether the sender's carrier takes no files. */
  readonly isTextOnly: boolean;
}

/** Writes to the product as the open number. */
export function Composer({ phone, sender, isTextOnly }: ComposerProps) {
  const [text, setText] = useState('');
  const [attached, setAttached] = useState<readonly Attached[]>([]);
  const [isRefused, setRefused] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const reply = useMutation({
    mutationFn: ({ body, files = [] }: { body: string; files?: readonly Attached[] }) =>
      call('/_control/inbound', { from: phone, to: sender, body, media: files.map(({ file }) => file) }),
    onError: (_error, { body, files = [] }) => {
      setText((current) => (current === '' ? body : current));
      setAttached((current) => (current.length === 0 ? files : current));
    },
  });

  const add = (more: readonly Attached[]) => {
    setRefused(isTextOnly);
    if (!isTextOnly) setAttached((current) => [...current, ...more]);
  };
  const attach = async (files: Iterable<File>) => add(await Promise.all([...files].map(attachedOf)));
  const onPick = (event: ChangeEvent<HTMLInputElement>) => {
    void attach(event.target.files ?? []);
    // The same file can be chosen again.
    event.target.value = '';
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void attach(event.clipboardData.files);
  };
  const isEmpty = text.trim() === '' && attached.length === 0;

  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (isEmpty) return;
    setRefused(false);
    reply.mutate({ body: text.trim() === '' ? '' : text, files: attached });
    setText('');
    setAttached([]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
  };

  return (
    <form className="composer" onSubmit={submit}>
      <div className="quick">
        {quickReplies.map((quick) => (
          <button key={quick.label} className="chip" type="button" onClick={() => reply.mutate({ body: quick.text })}>
            <span className="visually-hidden">Send </span>
            {quick.label}
          </button>
        ))}
        <select
          className="chip"
          aria-label="Attach a sample"
          value=""
          onChange={({ target: { value, selectedOptions } }) =>
            add([{ name: selectedOptions[0]?.textContent ?? value, file: { sample: value } }])
          }
        >
          <option value="" disabled>
            Sample
          </option>
          {samples.map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
        <span className="count" aria-live="polite">
          {text === '' ? '' : counted(segmentCount(text), 'segment')}
        </span>
      </div>
      {attached.length > 0 && (
        <ul className="attached" aria-label="Attached files">
          {attached.map(({ name }, index) => (
            <li key={`${index} ${name}`} className="chip">
              {name}
              <button
                type="button"
                aria-label={`Remove ${name}`}
                onClick={() => setAttached((current) => current.filter((_one, place) => place !== index))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="write">
        <input
          ref={picker}
          className="visually-hidden"
          type="file"
          multiple
          aria-label="Choose a picture"
          tabIndex={-1}
          onChange={onPick}
        />
        <button
          className="button icon-button"
          type="button"
          aria-label="Attach a picture"
          onClick={() => picker.current?.click()}
        >
          <IconPhoto size={20} aria-hidden />
        </button>
        <textarea
          aria-label={`Write as ${readableNumber(phone)}`}
          placeholder={`Write to ${readableNumber(sender)}`}
          rows={1}
          maxLength={TEXT_CHARACTERS_MAX}
          value={text}
          dir="auto"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <button className="button primary icon-button" type="submit" disabled={isEmpty} aria-label="Send">
          <IconArrowUp size={20} aria-hidden />
        </button>
      </div>
      {isRefused && isTextOnly && (
        <p className="bad" role="alert">
          {TEXTS_ONLY}
        </p>
      )}
      {reply.isError && (
        <p className="bad" role="alert">
          Not sent. {problemOf(reply.error)}
        </p>
      )}
    </form>
  );
}

/** Reads a file of this machine as base64. */
async function attachedOf(file: File): Promise<Attached> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read.')));
    reader.readAsDataURL(file);
  });
  const type = file.type === '' ? 'application/octet-stream' : file.type;
  return { name: file.name, file: { type, data: url.slice(url.indexOf(',') + 1) } };
}
