import type { Code } from '../../ui/code.js';

/** A program that sends one message. */
export interface HomeSample {
  /** As it stands in the picker. */
  readonly language: 'python' | 'curl' | 'ruby' | 'nodejs' | 'javascript';
  readonly code: Code;
}

/** The message in every sample, which arrives on the phone. */
export const sampleMessage = 'Hello from Pennytext';
