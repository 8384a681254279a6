import { type KeyboardEvent, type ReactNode, type SubmitEvent, useId, useRef } from 'react';
import { limits } from '#contract/limits.js';
import type { SmsEncoding } from '#contract/messages.js';
import { Field, TextArea } from '../../ui/field.js';
import { useFieldFocus } from '../../ui/hooks.js';
import { Card } from '../../ui/surface.js';
import { useDroppedFiles } from './dropped-files.js';
import { FileField } from './file-field.js';
import type { Files } from './use-files.js';
import { EncodingChoice, TimeChoice } from './composer-fields.js';
import styles from './message-composer.module.css';
import type { SendTime } from './send-time.js';
import { SenderChoice } from './sender-choice.js';

/** Content of the composer, for one recipient or for many. */
export interface Composed {
  readonly message: string;
  /** A number or the id of a pool of the account; '' for the best sender. */
  readonly from: string;
  readonly encoding: SmsEncoding;
  readonly reference: string;
  readonly time: SendTime;
  /** Sends links where files cannot be sent. */
  readonly asLinks: boolean;
}

export const nothingComposed: Composed = {
  message: '',
  from: '',
  encoding: 'auto',
  reference: '',
  time: { kind: 'now' },
  asLinks: false,
};

/** A column of a list of recipients, and the name of its variable in the message. */
interface MessageColumn {
  readonly title: string;
  readonly name: string;
}

interface MessageComposerProps {
  readonly composed: Composed;
  readonly onChange: (part: Partial<Composed>) => void;
  readonly faults: {
    readonly message?: string | undefined;
    readonly from?: string | undefined;
    readonly time?: string | undefined;
  };
  /** The field for a number or for a list. */
  readonly recipients: ReactNode;
  /** Columns that the message can use. */
  readonly columns?: readonly MessageColumn[];
  /** Content below the message: its current price, or its possible variables. */
  readonly figures: ReactNode;
  /** The id of an element among `figures` that describes the message. */
  readonly describedBy?: string;
  /** Content beside the time. */
  readonly choices?: ReactNode;
  /** The message goes to a list. */
  readonly isForMany?: boolean;
  readonly files: Files;
  /** Reason why no message with files can be sent, if so. */
  readonly filesFault: string | undefined;
  /** Some recipients may be unable to receive files. */
  readonly offersLinks: boolean;
  /** The first characters that GSM-7 lacks, after the replacements of `smart`. */
  readonly otherCharacters: readonly string[];
  /** Explains the reference below its field. */
  readonly referenceHint: string;
  readonly onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  /** The button, and the result of pressing it. */
  readonly children: ReactNode;
}

/** The form for messages: recipients, text, time, encoding and reference. */
export function MessageComposer({
  composed: { message, from, encoding, reference, time, asLinks },
  onChange,
  faults,
  recipients,
  columns = [],
  figures,
  describedBy,
  choices,
  isForMany = false,
  files,
  filesFault,
  offersLinks,
  otherCharacters,
  referenceHint,
  onKeyDown,
  onSubmit,
  children,
}: MessageComposerProps) {
  const hintId = useId();
  const form = useFieldFocus();
  const { target } = useDroppedFiles(files.add);
  const area = useRef<HTMLTextAreaElement>(null);
  const insert = (name: string) => {
    const { selectionStart = message.length, selectionEnd = message.length } = area.current ?? {};
    onChange({ message: `${message.slice(0, selectionStart)}{{${name}}}${message.slice(selectionEnd)}` });
    area.current?.focus();
  };
  const sender = <SenderChoice from={from} fault={faults.from} onChange={(chosen) => onChange({ from: chosen })} />;
  const options = (
    <details className={styles.options}>
      <summary>Encoding and reference</summary>
      <div className={styles.form}>
        <EncodingChoice
          encoding={encoding}
          otherCharacters={otherCharacters}
          onChange={(chosen) => onChange({ encoding: chosen })}
        />
        <div>
          <Field
            label="Reference"
            dir="auto"
            autoComplete="off"
            maxLength={limits.referenceCharactersMax}
            value={reference}
            describedBy={hintId}
            onChange={({ currentTarget }) => onChange({ reference: currentTarget.value })}
          />
          <p id={hintId} className={styles.hint}>
            {referenceHint}
          </p>
        </div>
      </div>
    </details>
  );
  return (
    <Card>
      <form ref={form} className={styles.form} noValidate onSubmit={onSubmit}>
        {isForMany ? (
          recipients
        ) : (
          <div className={styles.choices}>
            {recipients}
            {sender}
          </div>
        )}
        <div className={styles.part} {...target}>
          <TextArea
            ref={area}
            label="Message"
            dir="auto"
            rows={isForMany ? 4 : 3}
            value={message}
            fault={faults.message}
            describedBy={describedBy}
            onChange={({ currentTarget }) => onChange({ message: currentTarget.value })}
            onKeyDown={onKeyDown}
          />
          <FileField
            files={files}
            fault={filesFault}
            offersLinks={offersLinks}
            asLinks={asLinks}
            onLinks={(chosen) => onChange({ asLinks: chosen })}
          />
          {figures}
          {columns.length > 1 && (
            <div className={styles.chips} role="group" aria-label="Insert a column">
              {columns.map(({ name, title }) => (
                <button key={name} type="button" className={styles.chip} title={title} onClick={() => insert(name)}>
                  {`{{${name}}}`}
                </button>
              ))}
            </div>
          )}
        </div>
        <div className={styles.choices}>
          {isForMany && sender}
          {choices}
          <TimeChoice time={time} fault={faults.time} onChange={(chosen) => onChange({ time: chosen })} />
        </div>
        {children}
        {options}
      </form>
    </Card>
  );
}
