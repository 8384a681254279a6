import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Commands that a document shows, each as it stands in its code block. */
export class CodeBlocks {
  private readonly blocks: string[];

  constructor(
    folder: string,
    private readonly file = 'README.md',
  ) {
    const text = readFileSync(join(folder, file), 'utf8');
    this.blocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, code = '']) => code.trim());
  }

  /** The block that consists of exactly this code. */
  block(code: string): string {
    if (this.blocks.includes(code)) return code;
    throw new Error(`${this.file} has no code block ${code}`);
  }

  /** The first block that contains this part. */
  blockWith(part: string): string {
    const block = this.blocks.find((code) => code.includes(part));
    if (!block) throw new Error(`${this.file} has no code block with ${part}`);
    return block;
  }
}
