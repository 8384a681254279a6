/** Fields that are digits, and yet texts: an integer has no plus and no leading zero. */
const TEXTS = ['to', 'from', 'sender', 'otp', 'otp_id', 'code', 'number'];
/** The other fields of a recipient are values of the template, which may be numbers. */
const TEXTS_OF_RECIPIENT = ['to'];

/**
 * Throws TypeError for the number of a phone, or a code, that is not a text.
 * @internal
 */
export function checkTexts(fields: object): void {
  const { messages, channels, recipients } = fields as Readonly<Record<string, unknown>>;
  for (const one of [fields, messages, channels].flat()) checkEach(TEXTS, one);
  for (const one of [recipients].flat()) checkEach(TEXTS_OF_RECIPIENT, one);
}

function checkEach(names: readonly string[], one: unknown): void {
  for (const name of typeof one === 'object' && one !== null ? names : []) {
    const value: unknown = Reflect.get(one as object, name);
    if (value !== undefined && value !== null && typeof value !== 'string')
      throw new TypeError(`${name} must be a string, such as "+12025550142".`);
  }
}

/**
 * Throws TypeError for a path with an id that leads to another path.
 * @internal
 */
export function checkPath(path: string): void {
  if (/\/\.{0,2}(\/|$)/.test(path)) throw new TypeError('An id must be a string that is not empty, "." or "..".');
}

/**
 * The secret of a key as a header can carry it. Throws TypeError otherwise, without the key.
 * @internal
 */
export function apiKeyOf(given: string | undefined): string {
  const key = given ?? environment('PENNYTEXT_API_KEY');
  if (!key) throw new TypeError('Pennytext needs an apiKey, or PENNYTEXT_API_KEY in the environment.');
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('The apiKey has a space, a line break or another odd character.');
  return key;
}

/**
 * The address of the service without slashes at its end. Throws TypeError otherwise, without the
 * address, which may contain a password.
 * @internal
 */
export function baseUrlOf(given: string | undefined): string {
  const text = given ?? environment('PENNYTEXT_URL');
  if (!text) throw new TypeError('Pennytext needs a baseUrl, or PENNYTEXT_URL in the environment.');
  if (!/^https?:\/\/[^\s?#]+$/i.test(text) || !isAddress(text))
    throw new TypeError('The baseUrl must be such as https://sms.example.com, without password, query and fragment.');
  return text.replace(/\/+$/, '');
}

function isAddress(text: string): boolean {
  try {
    const { username, password } = new URL(text);
    return username === '' && password === '';
  } catch {
    return false;
  }
}

/**
 * Throws TypeError for an Idempotency-Key that a header cannot carry.
 * @internal
 */
export function idempotencyKeyOf(given: string | undefined): string {
  const key = given ?? crypto.randomUUID();
  if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(key))
    throw new TypeError('An idempotencyKey is a text of printable ASCII characters.');
  return key;
}

interface Runtime {
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly versions?: { readonly node?: string };
  };
  readonly navigator?: { readonly userAgent?: string };
}

/** Undefined where programs have no environment, as in browsers. */
function environment(name: string): string | undefined {
  return (globalThis as Runtime).process?.env?.[name];
}

/** Version of the package, as in package.json. */
const VERSION = '0.1.0';

/**
 * User-Agent of the requests. Undefined in browsers, which have their own and would ask the server
 * whether another one may be sent.
 * @internal
 */
export function userAgentOf({ process, navigator }: Runtime = globalThis): string | undefined {
  const node = process?.versions?.node;
  const runtime = navigator?.userAgent ?? (node === undefined ? 'unknown' : `Node.js/${node}`);
  return runtime.startsWith('Mozilla/') ? undefined : `pennytext-typescript/${VERSION} (${runtime})`;
}
