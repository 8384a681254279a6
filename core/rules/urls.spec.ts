import fc from 'fast-check';
import { urlIn, urlShorteners } from './urls.js';

/** 'none', 'url' or 'shortened'. */
function kindOf(text: string): string {
  const found = urlIn(text);
  return found ? (found.shortened ? 'shortened' : 'url') : 'none';
}

describe('urlIn', () => {
  it.each([
    'http://example.com',
    'HTTPS://EXAMPLE.COM/A?b=c#d',
    'See https://example.com.',
    '(https://example.com)',
    'now:https://example.com',
    'xhttp://example.com',
    'http://localhost:3000/x',
    'http://192.0.2.1/x',
    'http://[2001:db8::1]/x',
    'http://bücher.example',
    'http://例え.テスト/x',
    'www.example.museum-of-everything',
    'WWW.example.com',
    'example.com',
    'Example.Com',
    'EXAMPLE.COM',
    'go to example.com, please',
    'go to example.com.',
    'example.com:8080/x',
    'example.com/x',
    'example.co.uk',
    'shop.example.io!',
    'example.com.Call us',
    'wait...example.com',
    '"example.de"',
    'bücher.de',
    '你好example.com再见',
    '中文.com',
    'new.pizzeria/menu',
    'xn--e1afmkfd.xn--p1ai',
    'me.it',
    '163.com',
    'user@example.com/page',
    'a@example.com or example.org',
    'example.com-',
    'my_shop.example.com',
    'mailto:me@example.com http://example.com',
    '192.0.2.1',
    'log in at 10.1.2.3/x',
    '192.0.2.1:8080.',
    'пример.рф',
    'みんな.みんな',
    'see 例え。みんな',
    'example.motorcycles',
    'ｅｘａｍｐｌｅ．ｃｏｍ',
    'exam\u00adple.com',
    'tel:+15551234567',
    'Call TEL:555-0100 now',
    'sms:+15551234567',
    'tg://resolve?domain=example',
    'tg:resolve?domain=example',
    'at home.In case',
    'Done.It is over',
    '@first.me',
    '(@evil.com)',
    "'@evil.com'",
    '.@evil.com',
    'a:b@evil.com/login',
    'é@evil.com/login',
    'a@b@evil.com:8080',
    'mail:me@evil.com?next=1',
    '77.am',
    '10.am',
    'at 10.30.pm',
    '21.st',
    'a.m.xyz',
    'p.m.link',
    'e.g.link',
    'i.e.shop',
    'A.B.Company',
    'version 45.33.32.15',
    'v. 203.0.113.10',
    'build 8.8.8.8:8080',
    'version 1.2.3.4/x',
    '192.168.10.20',
    'ftp://files',
    '163.cn',
  ])('finds a URL in %j', (text) => {
    expect(kindOf(text)).toBe('url');
  });

  it.each([
    'bit.ly/abc',
    'BIT.LY/abc',
    'Bit.ly/Abc',
    'https://bit.ly/abc',
    'https://tinyurl.com/abc.',
    'http://www.tinyurl.com/abc',
    'www.bit.ly',
    'http://good.com@bit.ly/x',
    'http://good.com:80@bit.ly:443/x',
    'http://me@good.com@bit.ly',
    'http://good.com,bad@bit.ly/x',
    'good.com@bit.ly/x',
    'http://bit.ly.',
    'http://bit.ly./x',
    'bit.ly:443/x',
    'http://bit.ly?x',
    'http://bit.ly\\x',
    'http://bit%2Ely/x',
    'http://bit。ly/x',
    'http://ｂｉｔ.ly/x',
    'http://bit.ly你好',
    'bit.ly你好',
    'custom.short.gy/x',
    'bit.ly.Call now',
    'bit.ly, or else',
    'wait..bit.ly..example.com',
    'mail:me@bit.ly/abc',
    'user:pw@bit.ly/x',
    'é@bit.ly/x',
    '你@bit.ly/x',
    'a@b@bit.ly/x',
    'x:y:b@bit.ly/x',
    'me@@bit.ly/x',
    'first.last@me@bit.ly/x',
    'me@bit.ly:443',
    'mail:me@bit.ly#x',
    'example.com bit.ly/x',
    'https://example.com,https://bit.ly/x',
    'https://example.com/x,bit.ly/y',
    'https://example.com:bit.ly/y',
    'x_bit.ly/abc',
    't.co/abc',
    'encurtador.com.br/abc',
    'lnkd.in/abc',
    'Lnkd.In/abc',
    '-bit.ly',
    '(-bit.ly/x)',
    'ｂｉｔ．ｌｙ',
    'b\u200bit.ly/x',
    'http://a-user-name-that-is-much-longer-than-fifty-characters-in-all@bit.ly/x',
    'tel:+15551234567 bit.ly/x',
  ])('finds a shortened URL in %j', (text) => {
    expect(kindOf(text)).toBe('shortened');
  });

  it.each([
    'http://bit.ly.example.com',
    'notbit.ly',
    'not-bit.ly/x',
    't.co.uk/x',
    'http://bit.ly@example.com/x',
    'https://example.com/bit.ly/x',
    'https://example.com/?from=https://bit.ly/x',
    'https://youtu.be/x',
  ])('finds no shortened URL in %j', (text) => {
    expect(kindOf(text)).toBe('url');
  });

  it.each([
    '',
    '.',
    '...',
    'Hello. How are you?',
    '3.50',
    'It costs $3.50.',
    'at 10.30pm',
    '9.am',
    'on the 1.st',
    'mail:me@example.com',
    'é@example.com',
    'a@b@example.com',
    'mail:first.me.name@example.co.uk',
    'josé.me.x@example.com',
    'Is it me@example.com?',
    'ask me@example.com: now',
    'version 10.20.0.1',
    'release 0.12.34.5',
    '21.11.2026',
    'e.g.',
    'i.e. this',
    'U.S.A',
    'U.S.',
    'a.m. or p.m.',
    'Ph.D.',
    'done.Then',
    'wait...what',
    'wait…me',
    'me@example.com',
    'first.last.name@example.co.uk',
    'write to me@example.com.',
    'http',
    'http://',
    'http:// and more',
    'https://.',
    'and/or',
    'Mon.Tue/Wed',
    'node.js',
    'invoice.pdf',
    'конец.Начало',
    '这是结束。新的',
    '-.-',
    'a.-b',
    '256.1.1.1',
    'version 1.2.3.4.5',
    'Update to version 1.2.3.4 now',
    'firmware v2.0.1',
    'v1.2.3.4',
    'build 10.0.19045.1',
    '3.50/month',
    'Rs.500/kg',
    'P.O.Box 12',
    'e.g.in the box',
    '9 a.m.to 5 p.m.',
    'M.Sc',
    'Acme Co.Ltd',
    "o'neil@example.com",
    'me@例え.jp',
    'Tel: 555 0100',
    'sms: yes',
    'tg: hello',
    'hotel:5',
    'Hi,first.me@example.com',
  ])('finds no URL in %j', (text) => {
    expect(kindOf(text)).toBe('none');
  });

  // A name is allowed only if no stranger can rent it as a host, or if it can only mean its owner
  // of decades.
  it.each([
    'See you at 10.30, 7.30pm or 19.15.',
    'Doors 6.30 p.m., show 7 p.m. sharp.',
    'Open 9 a.m.-5 p.m., closed Sun.',
    'Mon.-Fri. 8.00-17.30',
    'Meet Mr.Smith, Mrs. Jones, Dr.Brown and Prof. Gray vs. St.Mary.',
    'J.R.R. Tolkien, e.g. in print; i.e. books, etc.',
    'Total $1,234.56 (incl. 19.5% tax), was €99.-',
    'Rs.499/- only! Save Rs. 1.500,00',
    'GPS 52.520008, 13.404954',
    'v1.2.3 is out; update from v1.2.2-beta.1 to 2.0',
    'Build 10.0.19045.1 of firmware v2.0.1',
    'Wait... what?! Hmm.. ok.',
    'wait…what',
    'Version 3.2.1.0 (build 4.5) is ready.',
    'Your code is 123456. Do not share it.',
    'Order no.1234 arrives 24.12.2026 at 14.00h',
    'Room 3.14, floor 2. Bring ID.',
    'Ratio 16:9, score 3:2, time 10:30:15',
    'Call 555.010.2030 ext. 7',
    'Size: 2.5x3.5cm. Weight: 1.2kg.',
    'Note:please reply Y/N.',
    'Thanks.\nThe Team',
    'C.O.D. accepted, A.S.A.P. please, R.S.V.P.',
    'Ph.D. thesis, M.Sc. and B.A. degrees',
    'Acme Inc., Acme Corp. and Acme Ltd.',
    'Reply STOP to opt out.Msg&data rates apply.',
    'P.O.Box 99, Springfield',
    'Write to jane.doe+shop@example.co.uk or office@example.org.',
    'Kurs 1.5.–3.5., je 10.00–12.00 Uhr',
    'Le 1er avr. à 10h30, réf.12-34.',
    'Привет.Как дела?',
    '会議は10.30です。よろしく。',
  ])('finds no URL in the ordinary text %j', (text) => {
    expect([text, urlIn(text)]).toEqual([text, undefined]);
  });

  it('recognizes every listed shortener alone, below www. and in a URL', () => {
    for (const host of urlShorteners) {
      for (const text of [host, `www.${host}`, `${host}/x`, `Go: https://${host.toUpperCase()}/x!`]) {
        expect([text, kindOf(text)]).toEqual([text, 'shortened']);
      }
    }
  });

  it('finds a URL anywhere between words', () => {
    const words = fc.string({ unit: fc.constantFrom('a', 'Z', ' ', ',', '!', '(', '"', '\n', '你', '😀') });
    fc.assert(
      fc.property(words, words, (before, after) => {
        expect(kindOf(`${before} https://bit.ly/x ${after}`)).toBe('shortened');
        expect(kindOf(`${before} example.com ${after}`)).toBe('url');
      }),
    );
  });

  it('finds the same in sentences whether they have a letter outside ASCII or not', () => {
    const pieces = [
      'a',
      'Z',
      '1',
      '.',
      '. ',
      '.\n',
      ' ',
      '@',
      '%2e',
      '//',
      'localhost',
      'com',
      'bit.ly',
      'you@',
      ',',
      '-',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (some) => {
        const text = `${some.join('')}.`;
        expect([text, urlIn(text)]).toEqual([text, urlIn(`${text} \u00e9`)]);
      }),
    );
  });

  it('takes time in proportion to the length, for long junk too', () => {
    const pieces = [
      '.',
      '-',
      'a',
      'A',
      '1',
      '@',
      ':',
      '/',
      '://',
      'http',
      'http://',
      '%',
      '[',
      ',',
      '_',
      '。',
      '你',
      ' ',
      'com',
    ];
    const junk = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(junk, (unit) => {
        // Quadratic work on 20,000 repeats would take minutes; linear work takes milliseconds.
        const text = unit.join('').repeat(20_000);
        const startMs = performance.now();
        expect(['none', 'url', 'shortened']).toContain(kindOf(text));
        expect(performance.now() - startMs).toBeLessThan(2000);
      }),
      { numRuns: 60 },
    );
  });
});
