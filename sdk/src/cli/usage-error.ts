/** The command was called in a way that it does not understand; nothing was sent. */
export class UsageError extends Error {}
