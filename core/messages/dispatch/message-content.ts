import { Injectable } from '@nestjs/common';
import { MediaFilesUnavailable } from '../../media/media-files.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { MessageFiles } from '../files/message-files.js';
import { OtpPayloads } from '../store/otp-payloads.js';
import { Carriers } from '../../carriers/carrier.js';
import type { ClaimedMessage } from './claim-messages.js';

/**
 * Reason why a message with files cannot be handed to its carrier. `gone`: a file has been deleted.
 * `too_large`: the new sender takes fewer bytes. `unsupported`: the carrier takes no files.
 * `unavailable`: the store of files does not answer.
 */
export type FilesFault = 'gone' | 'too_large' | 'unsupported' | 'unavailable';

/** Content for the carrier, or the reason why there is none. */
export type ReadContent =
  | { readonly kind: 'ready'; readonly text: string; readonly mediaUrls: readonly string[] }
  /** A one-time password that has expired. */
  | { readonly kind: 'useless' }
  | { readonly kind: 'without_files'; readonly fault: FilesFault };

/** Reads the text and files of a claimed message. */
@Injectable()
export class MessageContent {
  constructor(
    private readonly otpPayloads: OtpPayloads,
    private readonly messageFiles: MessageFiles,
    private readonly carriers: Carriers,
  ) {}

  async read(claim: ClaimedMessage): Promise<ReadContent> {
    const { text, isUseful } = await this.otpPayloads.read(claim);
    if (!isUseful) return { kind: 'useless' };
    if (claim.kind !== 'mms') return { kind: 'ready', text, mediaUrls: [] };
    if (!this.carriers.of(claim.carrier).carriesMedia) return { kind: 'without_files', fault: 'unsupported' };
    try {
      const files = await this.messageFiles.forCarrier(claim);
      if (files.kind !== 'links') return { kind: 'without_files', fault: files.kind };
      return { kind: 'ready', text, mediaUrls: files.urls };
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return { kind: 'without_files', fault: 'unavailable' };
    }
  }
}

/** Whether the same read may succeed a moment later. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof MediaFilesUnavailable) return true;
  return error instanceof DomainError && (error.code === 'unavailable' || error.code === 'media_limit');
}
