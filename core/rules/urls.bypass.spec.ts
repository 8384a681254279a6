import { urlIn } from './urls.js';

/**
 * Ways to write a link that a filter misses but a phone or a reader recognizes. Each text must be
 * refused.
 */
const tricks: readonly (readonly [trick: string, text: string])[] = [
  ['bare host', 'evil.com'],
  ['capitals', 'EVIL.COM'],
  ['title case at a sentence end', 'Your parcel waits.Zip it'],
  ['no space before', 'now:evil.com'],
  ['newest kind of top-level domain', 'evil.zip'],
  ['brand top-level domain', 'login.google'],
  ['internationalized top-level domain', 'пример.рф'],
  ['punycode', 'xn--e1afmkfd.xn--p1ai'],
  ['emoji host', 'i❤.ws'],
  ['digits as a host', '360.cn'],
  ['ideographic full stop', 'evil。com'],
  ['half-width ideographic full stop', 'evil｡com'],
  ['full-width full stop', 'evil．com'],
  ['small full stop', 'evil﹒com'],
  ['one dot leader', 'evil․com'],
  ['full-width letters', 'ｅｖｉｌ.com'],
  ['circled letters', 'ⓔⓥⓘⓛ.ⓒⓞⓜ'],
  ['mathematical letters', '𝐞𝐯𝐢𝐥.𝐜𝐨𝐦'],
  ['soft hyphen', 'ev\u00adil.com'],
  ['zero-width space', 'evil\u200b.com'],
  ['zero-width joiner', 'evil.c\u200dom'],
  ['change of writing direction', 'evil\u202c.com'],
  ['invisible filler', 'evil\u3164.com'],
  ['variation selector', 'evil.com\ufe0f'],
  ['bracketed dot', 'evil[.]com'],
  ['written dot', 'evil (dot) com'],
  ['percent-encoded dot', 'http://evil%2ecom'],
  ['backslashes', 'http:\\\\evil.com'],
  ['defanged scheme', 'hxxps://evil.com'],
  ['missing slash', 'https:/evil.com'],
  ['protocol-relative', '//evil.com'],
  ['user information', 'http://bank.com@evil.com'],
  ['email address with a page', 'me@evil.com/login'],
  ['email address with a port', 'me@evil.com:8080'],
  ['email address with a query', 'me@evil.com?next=1'],
  ['mention', '@evil.com'],
  ['email address after a colon with a page', 'mail:me@evil.com/login'],
  ['email address of letters outside ASCII with a page', 'é@evil.com/login'],
  ['two names before a page', 'a@b@evil.com/login'],
  ['user and password without a scheme', 'user:pw@evil.com/login'],
  ['mention in brackets', '(@evil.com)'],
  ['name that looks like a time', '77.am'],
  ['name that looks like an abbreviation', 'a.m.xyz'],
  ['address that looks like a version', 'version 45.33.32.15'],
  ['IPv4 address', '203.0.113.5'],
  ['IPv4 address with full-width digits', '２０３.0.113.5'],
  ['IPv4 address of digits with full stops', '⒉⒉⒊4'],
  ['IPv4 address as one number', 'http://3405803781'],
  ['IPv4 address as a version', 'version 203.0.113.5'],
  ['IPv6 address', 'http://[2001:db8::1]'],
  ['telephone link', 'tel:+15551234567'],
  ['premium-rate link in full width', 'ｔｅｌ：+19005551234'],
  ['message link', 'sms:+15551234567'],
  ['Telegram link', 'tg://resolve?domain=evil'],
  ["another program's link", 'whatsapp://send?phone=15551234567'],
  ['app store link', 'market://details?id=evil'],
  ['after an ellipsis', 'wait..evil.com..now'],
  ['in quotation marks', '“evil.com”'],
  ['before an apostrophe', "evil.com's"],
  ['next to another script', '请看evil.com吧'],
  ['underscores', '_evil.com_'],
  ['long user information', `http://${'a'.repeat(200)}@evil.com`],
];

describe('the URL rule against tricks', () => {
  it.each(tricks)('finds a URL behind the trick: %s', (_trick, text) => {
    expect(urlIn(`Hello, ${text}`)).toBeDefined();
    expect(urlIn(text)).toBeDefined();
    expect(urlIn(`Hello\n${text} and more`)).toBeDefined();
  });

  it.each([
    ['Pay at ｅｖｉｌ。ｃｏｍ/x now', 'evil.com/x'],
    ['See you at home.In case', 'home.In'],
    ['call tel:+15551234567!', 'tel:+15551234567'],
    ['me@evil.com/login', 'evil.com/login'],
    [`https://evil.com/${'a'.repeat(100)}`, `https://evil.com/${'a'.repeat(43)}…`],
  ])('quotes what it took for a URL in %j', (text, quote) => {
    expect(urlIn(text)).toEqual({ text: quote, shortened: false });
  });

  it('prefers to name a shortened URL', () => {
    expect(urlIn('See example.com or bit.ly/x')).toEqual({ text: 'bit.ly/x', shortened: true });
  });
});
