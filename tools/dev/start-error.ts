/** Something the person at the keyboard can mend: its message is one line that says what and how, shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
