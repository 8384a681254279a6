import { readFileSync } from 'node:fs';

/** Complaint of a program: its text, how often it was logged, and the first log line. */
export interface Complaint {
  readonly text: string;
  readonly count: number;
  readonly example: string;
}

// pino's levels: https://getpino.io/#/docs/api?id=loggerlevels-object
const warnLevel = 40;
const exampleCharactersMax = 1_000;

/** Warnings and errors in a program's log file, counted by text. */
export function complaintsIn(logFile: string): Complaint[] {
  return complaintsOf(readFileSync(logFile, 'utf8'));
}

/**
 * Warnings and errors in the text of a log: pino's lines of JSON; each block of other lines is one
 * complaint.
 */
export function complaintsOf(log: string): Complaint[] {
  const found = new Map<string, Complaint>();
  for (const [entry = ''] of log.matchAll(/^\{.*$|^(?!\{)[^]*?(?=\n\{|$(?![^]))/gm)) {
    const text = complaintOf(entry);
    if (text === undefined) continue;
    const earlier = found.get(text);
    found.set(text, {
      text,
      count: (earlier?.count ?? 0) + 1,
      example: earlier?.example ?? entry.slice(0, exampleCharactersMax),
    });
  }
  return [...found.values()];
}

function complaintOf(entry: string): string | undefined {
  if (entry.trim() === '') return undefined;
  if (!entry.startsWith('{')) return entry.trim().split('\n')[0];
  const { level, msg } = JSON.parse(entry) as { level?: number; msg?: string };
  return level !== undefined && level < warnLevel ? undefined : (msg ?? 'a line without a text');
}
