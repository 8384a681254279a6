import { emitGo } from './go.js';
import { java } from './java.js';
import type { Emitter } from './model.js';
import { phpClient } from './php.js';
import { python } from './python.js';
import { ruby } from './ruby.js';

/** The emitters, by the folder of `sdk` that they write to. */
export const emitters: Readonly<Record<string, Emitter>> = {
  go: emitGo,
  java,
  php: phpClient,
  python,
  ruby,
};
