import { useId, useRef } from 'react';
import { thumbnailUrl } from '../../api/messages.js';
import { Button } from '../../ui/button.js';
import { Fault } from '../../ui/field.js';
import { fileSize } from '../../ui/format.js';
import { IconAlertTriangle, IconFile, IconPhoto, IconX } from '../../ui/line-icons.js';
import styles from './file-field.module.css';
import { type ComposedFile, OFFERED_TYPES } from './files.js';
import { inDashboardWords, LINKS_LABEL } from './link-advice.js';
import type { Files } from './use-files.js';

interface FileFieldProps {
  readonly files: Files;
  /** Reason why no message with files can be sent, if so. */
  readonly fault: string | undefined;
  /** Some recipients may be unable to receive files. */
  readonly offersLinks: boolean;
  /** Sends links where files cannot be sent. */
  readonly asLinks: boolean;
  readonly onLinks: (asLinks: boolean) => void;
  /** Shows the button as an icon on the text's line: the parts are areas of the form's grid. */
  readonly isShort?: boolean;
}

/** The files of a message, and the button that adds more. */
export function FileField({
  files: { files, add, remove, fault: notAdded },
  fault,
  offersLinks,
  asLinks,
  onLinks,
  isShort = false,
}: FileFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const adder = useRef<HTMLButtonElement>(null);
  /** Moves the focus on from the removed button, or a keyboard would start at the top again. */
  const removeAt = (index: number, fileId: number) => {
    const next = list.current?.querySelectorAll('button')[index + 1] ?? adder.current;
    next?.focus();
    remove(fileId);
  };
  const faults = [
    ...(notAdded === undefined ? [] : [<Fault key="not added">{notAdded}</Fault>]),
    ...files.flatMap((file) =>
      file.state === 'refused'
        ? [
            <Fault key={file.id}>
              <bdi>{file.name}</bdi>: {file.fault} Remove it to send the message.
            </Fault>,
          ]
        : [],
    ),
    ...(fault === undefined || files.length === 0 ? [] : [<Fault key="fault">{inDashboardWords(fault)}</Fault>]),
  ];
  const canLink = files.length > 0 && (offersLinks || asLinks);
  return (
    <div className={isShort ? styles.short : styles.field}>
      {files.length > 0 && (
        <ul ref={list} className={styles.files} aria-label="Attached files">
          {files.map((file, index) => (
            <Attached key={file.id} file={file} onRemove={() => removeAt(index, file.id)} />
          ))}
        </ul>
      )}
      <div className={styles.add}>
        <input
          ref={input}
          className="visually-hidden"
          type="file"
          multiple
          tabIndex={-1}
          aria-label="Choose pictures"
          accept={OFFERED_TYPES}
          onChange={({ target }) => {
            add([...(target.files ?? [])]);
            // Allows choosing the same file again.
            target.value = '';
          }}
        />
        <Button
          ref={adder}
          onClick={() => input.current?.click()}
          aria-describedby={`${id}-hint`}
          title={isShort ? 'Add pictures' : undefined}
        >
          <span className={styles.act}>
            <IconPhoto size={isShort ? 22 : 18} aria-hidden="true" />{' '}
            <span className={isShort ? 'visually-hidden' : undefined}>Add pictures</span>
          </span>
        </Button>
        <p id={`${id}-hint`} className={isShort ? 'visually-hidden' : styles.hint}>
          or drop or paste them (USA, Canada).
        </p>
      </div>
      {faults.length > 0 && (
        <div role="alert" className={styles.faults}>
          {faults}
        </div>
      )}
      {canLink && (
        <label className={styles.links}>
          <input type="checkbox" checked={asLinks} onChange={({ target }) => onLinks(target.checked)} />
          {LINKS_LABEL}
        </label>
      )}
    </div>
  );
}

function Attached({ file, onRemove }: { file: ComposedFile; onRemove: () => void }) {
  const { name, bytes, state } = file;
  return (
    <li className={styles.file} data-state={state} aria-busy={state === 'uploading'}>
      <span className={styles.shown}>
        {state === 'uploading' ? (
          <span className={styles.loading}>Loading...</span>
        ) : state === 'refused' ? (
          <IconAlertTriangle size={24} aria-hidden="true" />
        ) : file.type.startsWith('image/') ? (
          <img src={thumbnailUrl(file.mediaId)} alt="" />
        ) : (
          <IconFile size={28} aria-hidden="true" />
        )}
      </span>
      <span className={styles.name} title={name}>
        {name}
      </span>
      <span className={styles.size}>{fileSize(bytes)}</span>
      <button type="button" className={styles.remove} aria-label={`Remove ${name}`} onClick={onRemove}>
        <IconX size={16} aria-hidden="true" />
      </button>
    </li>
  );
}
