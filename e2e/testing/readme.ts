import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Commands that a clone's README.md shows, each as it stands in its code block. */
export class Readme {
  private readonly blocks: string[];

  constructor(folder: string) {
    const text = readFileSync(join(folder, 'README.md'), 'utf8');
    this.blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code.trim());
  }

  /** The first block that this is part of. */
  blockWith(part: string): string {
    const block = this.blocks.find((code) => code.includes(part));
    if (!block) throw new Error(`README.md has no code block with ${part}`);
    return block;
  }
}
