import { useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { limits } from '#contract/limits.js';
import type { MediaView } from '#contract/media.js';
import { keysQuery } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { uploadFile } from '../../api/messages.js';
import { areUnready, type ComposedFile, composedOf, faultOfFile, type StoredFile, storedFilesOf } from './files.js';

type FileState =
  | ({ readonly state: 'stored'; readonly type: string } & StoredFile)
  | { readonly state: 'refused'; readonly fault: string };

/** The files of a new message, uploaded when they are added. */
export interface Files {
  readonly files: readonly ComposedFile[];
  /** Stored files, in their order. */
  readonly stored: readonly StoredFile[];
  readonly mediaIds: readonly string[];
  /** The message must wait for a file, or a file must be removed. */
  readonly isUnready: boolean;
  /** Reason why the last files were not added, if so. */
  readonly fault: string | undefined;
  add(added: readonly File[]): void;
  remove(id: number): void;
  clear(): void;
}

/** `given`: stored files of the account. */
export function useFiles(given: readonly MediaView[] = []): Files {
  const client = useQueryClient();
  const [files, setFiles] = useState(() => composedOf(given));
  const [fault, setFault] = useState<string>();
  const lastId = useRef(given.length);
  const uploads = useRef(new Map<number, AbortController>());
  useEffect(() => {
    const running = uploads.current;
    return () => running.forEach((upload) => upload.abort());
  }, []);

  const upload = async (id: number, file: File): Promise<FileState> => {
    const abort = new AbortController();
    uploads.current.set(id, abort);
    try {
      const { apiKey } = await client.fetchQuery(keysQuery);
      const { media_id: mediaId, sha256, type } = await uploadFile(file, apiKey, abort.signal);
      return { state: 'stored', mediaId, sha256, type };
    } catch (error) {
      const failure = failureOf(error);
      // The key was replaced elsewhere; the next attempt reads the new one.
      if (failure.code === 'unknown_api_key') await client.invalidateQueries({ queryKey: keysQuery.queryKey });
      return { state: 'refused', fault: failure.detail ?? failure.message };
    } finally {
      uploads.current.delete(id);
    }
  };
  const addOne = (file: File, others: readonly ComposedFile[]): ComposedFile => {
    lastId.current += 1;
    const id = lastId.current;
    const shown = { id, name: file.name, bytes: file.size };
    const refused = faultOfFile(file.size, others);
    if (refused !== undefined) return { ...shown, state: 'refused', fault: refused };
    void upload(id, file).then((outcome) =>
      setFiles((now) => now.map((one) => (one.id === id ? { ...shown, ...outcome } : one))),
    );
    return { ...shown, state: 'uploading' };
  };
  const stored = storedFilesOf(files);
  return {
    files,
    stored,
    mediaIds: stored.map(({ mediaId }) => mediaId),
    isUnready: areUnready(files),
    fault,
    add: (added) => {
      const room = limits.messageMediaMax - files.length;
      setFault(added.length > room ? `A message has at most ${limits.messageMediaMax} files.` : undefined);
      setFiles(added.slice(0, room).reduce((all, file) => [...all, addOne(file, all)], files));
    },
    remove: (id) => {
      uploads.current.get(id)?.abort();
      setFault(undefined);
      setFiles((now) => now.filter((file) => file.id !== id));
    },
    clear: () => {
      setFault(undefined);
      setFiles([]);
    },
  };
}
