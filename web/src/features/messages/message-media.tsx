import type { MediaView } from '#contract/media.js';
import { thumbnailUrl } from '../../api/messages.js';
import { fileSize } from '../../ui/format.js';
import { IconAlertTriangle, IconFile } from '../../ui/line-icons.js';
import styles from './message-media.module.css';

/** The files of a message: pictures as thumbnails, which open the file; others as links. */
export function MessageMedia({ media }: { media: readonly MediaView[] }) {
  if (media.length === 0) return null;
  return (
    <ul className={styles.files} aria-label="Files">
      {media.map((file) => (
        <li key={file.id}>
          <MediaFile file={file} />
        </li>
      ))}
    </ul>
  );
}

function MediaFile({ file }: { file: MediaView }) {
  const { id, status, url, thumbnail, bytes, reason } = file;
  const name = nameOf(file);
  if (status === 'pending') return <p className={styles.note}>{name}: being fetched from the carrier.</p>;
  if (status === 'failed')
    return (
      <p className={styles.failed}>
        <IconAlertTriangle size={18} aria-hidden="true" />
        <span>
          {name}: not received. {reason}
        </span>
      </p>
    );
  if (status === 'expired' || url === null) return <p className={styles.note}>{name}: deleted.</p>;
  const label = `Download ${name.toLowerCase()}, ${fileSize(bytes ?? 0)}`;
  if (thumbnail)
    return (
      <a className={styles.picture} href={url} download title={label}>
        <img src={thumbnailUrl(id)} alt={label} loading="lazy" />
      </a>
    );
  return (
    <a className={styles.file} href={url} download aria-label={label}>
      <IconFile size={20} aria-hidden="true" />
      <span>
        {name} <span className={styles.size}>{fileSize(bytes ?? 0)}</span>
      </span>
    </a>
  );
}

const names: readonly (readonly [form: RegExp, name: string])[] = [
  [/^image\//, 'Picture'],
  [/^video\//, 'Video'],
  [/^audio\//, 'Recording'],
  [/^text\/vcard$/, 'Contact'],
  [/^application\/pdf$/, 'PDF'],
];

function nameOf({ type }: MediaView): string {
  return names.find(([form]) => form.test(type ?? ''))?.[1] ?? 'File';
}
