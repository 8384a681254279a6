import { emitGo } from './go.js';
import { java } from './java.js';
import type { ClientModel } from './model.js';
import { phpClient } from './php.js';
import { python } from './python.js';
import { ruby } from './ruby.js';

/** Writes a client's generated files: their texts by their paths in `sdk/<language>`. */
export type Emitter = (model: ClientModel) => Readonly<Record<string, string>>;

/** The emitters, by the folder of `sdk` that they write to. */
export const emitters: Readonly<Record<string, Emitter>> = {
  go: emitGo,
  java,
  php: phpClient,
  python,
  ruby,
};
