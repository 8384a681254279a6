import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readIfThere } from './read-if-there.js';

/** What this copy of the product keeps to itself. The sandbox's credentials have Twilio's forms. */
export interface Secrets {
  /** 32 bytes, base64. */
  apiKeyHashSecret: string;
  /** 32 bytes, base64: AES-256-GCM. */
  apiKeyEncryptionKey: string;
  sandboxAccountSid: string;
  sandboxAuthToken: string;
}

/** The secrets in a file, made at the first start: without them stored API keys could not be read again. */
export function loadSecrets(file: string): Secrets {
  const kept = readIfThere(file);
  const secrets = { ...newSecrets(), ...(kept === undefined ? {} : (JSON.parse(kept) as Partial<Secrets>)) };
  const content = `${JSON.stringify(secrets, null, 2)}\n`;
  if (content !== kept) writeFileSync(file, content, { mode: 0o600 });
  return secrets;
}

function newSecrets(): Secrets {
  return {
    apiKeyHashSecret: randomBytes(32).toString('base64'),
    apiKeyEncryptionKey: randomBytes(32).toString('base64'),
    sandboxAccountSid: `AC${randomBytes(16).toString('hex')}`,
    sandboxAuthToken: randomBytes(16).toString('hex'),
  };
}
