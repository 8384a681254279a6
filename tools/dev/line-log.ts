import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { colour, type Colour } from './colour.js';

const nameWidth = 8;
const colours: Record<string, Colour> = {
  server: 'cyan',
  worker: 'magenta',
  sandbox: 'yellow',
  postgres: 'blue',
  redis: 'red',
};

/** Writes one line under a program's name, as all lines of the launcher's log stand. */
export function say(name: string, line: string): void {
  console.log(`${colour(colours[name] ?? 'grey', name.padEnd(nameWidth))} ${line}`);
}

/** Passes every line of a child's output on under its name. */
export function relayLines(name: string, stream: Readable): void {
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', (line) => say(name, line));
}
