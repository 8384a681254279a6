const codes = { bold: 1, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36, grey: 90 } as const;

/** A colour or weight of the terminal. */
export type Colour = keyof typeof codes;

/** Wraps text in terminal colours when standard output shows them (a TTY, and NO_COLOR unset: https://no-color.org). */
export function colour(name: Colour, text: string): string {
  return process.stdout.isTTY && !process.env['NO_COLOR'] ? `\u001b[${codes[name]}m${text}\u001b[0m` : text;
}
