import { renderMail, type MailContent } from './mail-template.js';
import { withSafeTexts } from './person-texts.js';

const at = '2026-11-21T03:04:05Z';
const hostile = 'Call\nhttps://evil.example/pay';
const textOf = (content: MailContent, isConfirmed: boolean) =>
  renderMail(withSafeTexts(content, isConfirmed), 'https://pennytext.test').text;

describe('withSafeTexts', () => {
  it.each<[string, MailContent]>([
    ['a display name', { kind: 'welcome', displayName: 'Ada', credits: 3 }],
    ['the name of a key', { kind: 'key_changed', change: 'created', name: 'Ada', at }],
    ['the host of a webhook', { kind: 'webhook_changed', change: 'url', host: 'Ada.example', at }],
    ['the host of a webhook turned off', { kind: 'webhook_disabled', host: 'Ada.example', reason: 'gone' }],
  ])('keeps %s, and drops it while the address is not confirmed', (_of, content) => {
    expect(textOf(content, true)).toContain('Ada');
    expect(textOf(content, false)).not.toContain('Ada');
  });

  it.each(['evil.com', 'http://1.2.3.4', 'www.evil.com', 'pay at evil。com', hostile])(
    'drops a name that holds a link: %j',
    (name) => {
      expect(textOf({ kind: 'welcome', displayName: name, credits: 3 }, true)).toMatch(/^Welcome to Pennytext\n/);
      expect(textOf({ kind: 'key_changed', change: 'rotated', name, at }, true)).not.toContain('Key:');
    },
  );

  it('makes one line of a name', () => {
    const text = textOf({ kind: 'welcome', displayName: 'Ada\r\nLove\u2028lace', credits: 3 }, true);
    expect(text).toMatch(/^Welcome to Pennytext, Ada Love lace\n\n/);
  });

  it('tells a new secret of a key whose name is dropped from a new key of the account', () => {
    const renamed = textOf({ kind: 'key_changed', change: 'rotated', name: hostile, at }, true);
    expect(renamed).toMatch(/^An API key has a new secret\n/);
  });

  it('has nothing to say about free credits that are not there', () => {
    expect(textOf({ kind: 'welcome', displayName: 'Ada', credits: 0 }, true)).toContain('once per person');
    expect(textOf({ kind: 'welcome', displayName: 'Ada', credits: 0 }, true)).not.toContain('3 free credits');
  });
});
