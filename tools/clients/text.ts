/** `message.received` and `attempt_list` become `MessageReceived` and `AttemptList`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|[._])(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

/** `send_bulk` becomes `sendBulk`. */
export function camel(name: string): string {
  return pascal(name).replace(/^./, (letter) => letter.toLowerCase());
}

/** `Countries` becomes `Country`, `Reasons` becomes `Reason`. */
export function singular(name: string): string {
  if (/statuses$/i.test(name)) return name.slice(0, -2);
  return name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/(?<!s)s$/, '');
}

/** Lines of at most so many characters, unless a word is longer. */
export function wrapped(text: string, characters: number): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = `${lines.at(-1)} ${word}`.trimStart();
    if (line.length <= characters) lines.splice(-1, 1, line);
    else lines.push(word);
  }
  return lines;
}
