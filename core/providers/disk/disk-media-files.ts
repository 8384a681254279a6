import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { type FileName, type LocalFile, MediaFiles, storedPath } from '../../media/media-files.js';
import { onDisk, systemCode } from '../../media/received-file.js';

/** Files in a folder, which all processes of the product see at the same place. */
export class DiskMediaFiles extends MediaFiles {
  /** Folder on the file system of the store, so that a file is moved and not copied. */
  readonly incoming: string;

  constructor(private readonly folder: string) {
    super();
    this.incoming = join(folder, 'incoming');
  }

  async check(): Promise<void> {
    await onDisk(async () => {
      await mkdir(this.incoming, { recursive: true });
      const probe = join(this.incoming, randomUUID());
      await writeFile(probe, '');
      await rm(probe);
    });
  }

  async put(name: FileName, file: LocalFile): Promise<void> {
    const path = this.pathOf(name);
    await onDisk(async () => {
      await mkdir(dirname(path), { recursive: true });
      await rename(file.path, path);
      await sync(dirname(path));
    });
  }

  async open(name: FileName): Promise<Readable | undefined> {
    try {
      const file = await open(this.pathOf(name), 'r');
      return file.createReadStream();
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async delete(name: FileName): Promise<void> {
    await onDisk(() => rm(this.pathOf(name), { force: true }));
  }

  private pathOf(name: FileName): string {
    return join(this.folder, 'files', storedPath(name));
  }
}

/** A name in a folder outlives a power failure once the folder itself has been written. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
