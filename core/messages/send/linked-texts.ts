import { Injectable } from '@nestjs/common';
import { MediaLinks } from '../../media/media-links.js';

/** Placeholder id, whose link is as long as a real link. */
const NO_FILE = '00000000-0000-7000-8000-000000000000';

/** Builds texts that end with links to files. */
@Injectable()
export class LinkedTexts {
  constructor(private readonly links: MediaLinks) {}

  /** Returns the text with placeholder links of the final length. */
  draft(text: string, files: number): string {
    return joined(
      text,
      Array.from({ length: files }, () => this.links.to(NO_FILE)),
    );
  }

  /** Returns the text of a message whose links work from `leavesAt` on. */
  of(text: string, ids: readonly string[], leavesAt: Date): string {
    return joined(
      text,
      ids.map((id) => this.links.to(id, leavesAt)),
    );
  }
}

function joined(text: string, links: readonly string[]): string {
  return [...(text === '' ? [] : [text]), ...links].join('\n');
}
