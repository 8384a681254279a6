import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Logger } from '../platform/telemetry/logger.js';
import { MediaFiles } from './media-files.js';
import { removeLeftOvers } from './received-file.js';

/**
 * Checks the store of files when a server or a worker starts, and removes files that an earlier
 * process was receiving when it died. Without the store the process starts all the same: everything
 * but files works, and files wait.
 */
@Injectable()
export class CheckMediaFiles implements OnApplicationBootstrap {
  constructor(
    private readonly files: MediaFiles,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.files
      .check()
      .then(() => removeLeftOvers(this.files.incoming))
      .catch((err: unknown) => this.logger.error({ err }, 'files of messages cannot be stored: MEDIA_DIR'));
  }
}
