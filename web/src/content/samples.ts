import { type PlainLanguage, plainLanguages, type SampleLanguage } from '../paths.js';
import type { CodeLanguage } from './code-language.js';

/** Calls with samples, each with a folder in `samples/`, and the titles of the samples. */
export const callTitles = {
  'send-sms': 'Send an SMS',
  'send-otp': 'Send a code',
  'send-otp-channels': 'Send a code by SMS, then by email',
  'verify-otp': 'Verify a code',
  'receive-replies': 'Receive replies',
  balance: 'Get the balance',
  'message-status': 'Get the status of a message',
  'send-bulk': 'Send a bulk',
  'batch-status': 'Get a batch',
  'cancel-batch': 'Cancel a batch',
  'send-later': 'Send later',
  'cancel-message': 'Cancel a message',
  quote: 'Get a quote',
  'send-quoted': 'Send at the quoted price',
  'send-capped': 'Send for 2 credits or less',
  'send-smart': 'Send with plain quotes',
  'send-once': 'Not twice within an hour',
  'send-media': 'Send a picture',
  'upload-media': 'Upload a picture',
} as const;
export type SampleCall = keyof typeof callTitles;

interface SampleFile {
  /** File name within the folder of the call. */
  readonly name: string;
  readonly language: CodeLanguage;
  /** Requirements and pitfalls of the program. */
  readonly needs: string;
}

/**
 * The sample file of each language that needs no package. A file runs once its address, key and, for
 * receivers, secret are replaced.
 */
export const sampleFiles: Readonly<Record<PlainLanguage, SampleFile>> = {
  curl: {
    name: 'curl.sh',
    language: 'bash',
    needs:
      '`curl` sends a form when it is given data. `--data-urlencode` keeps the `+` of the number and ' +
      'every character of the message as they are; plain `-d` would turn a `+` into a space.',
  },
  python: {
    name: 'python.py',
    language: 'python',
    needs:
      'Needs Python 3 and no package. For an error `urlopen` raises `urllib.error.HTTPError`; ' +
      '`json.load(error)` reads the answer from it.',
  },
  php: {
    name: 'php.php',
    language: 'php',
    needs:
      'Needs PHP 7 or newer with its curl extension. `http_build_query` encodes the form. ' +
      '`json_decode` makes an array of the answer.',
  },
  ruby: {
    name: 'ruby.rb',
    language: 'ruby',
    needs: 'Needs Ruby and no gem. `JSON.parse(response.body)` makes a hash of the answer.',
  },
  nodejs: {
    name: 'nodejs.mjs',
    language: 'javascript',
    needs:
      'Needs Node.js 18 or newer, which has `fetch`, and no package. Save it as `.mjs`, to allow top-level `await`.',
  },
  javascript: {
    name: 'javascript.js',
    language: 'javascript',
    needs:
      'Runs in a browser. Anyone who can open a page can read the key in it, so do this only on pages ' +
      'that only you can open; on public pages let your own server make the call.',
  },
  csharp: {
    name: 'csharp.cs',
    language: 'csharp',
    needs: 'Needs .NET 6 or newer, as `Program.cs` of a new console project, and no package.',
  },
  java: {
    name: 'java.java',
    language: 'java',
    needs: 'Needs Java 11 or newer and no library. `java SendSms.java` runs it without a build.',
  },
};

/** Languages in menu order. */
export const languagesOfSamples = Object.keys(plainLanguages) as PlainLanguage[];

/** The sample file of each language that has a client of ours. */
export const clientFiles: Readonly<Partial<Record<SampleLanguage, Omit<SampleFile, 'needs'>>>> = {
  typescript: { name: 'client.mjs', language: 'javascript' },
  python: { name: 'client.py', language: 'python' },
  php: { name: 'client.php', language: 'php' },
  ruby: { name: 'client.rb', language: 'ruby' },
  go: { name: 'client.go', language: 'go' },
  java: { name: 'Client.java', language: 'java' },
};

/** Placeholders in the sample files. */
export const placeholders = {
  host: 'https://pennytext.example',
  apiKey: 'YOUR_API_KEY',
  webhookSecret: 'YOUR_WEBHOOK_SECRET',
  receiverPort: '8080',
} as const;
