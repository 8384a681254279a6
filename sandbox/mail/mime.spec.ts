import { parseMail } from './mime.js';

/** The mail as it comes over the wire: one byte a character. */
const wire = (text: string) => Buffer.from(text.replace(/\n/g, '\r\n'), 'utf8').toString('latin1');

describe('parseMail', () => {
  it('reads what nodemailer sends: alternatives in quoted-printable and base64, encoded headers', () => {
    const mail = parseMail(
      wire(`From: =?UTF-8?Q?P=C3=A9nnytext?= <hello@pennytext.example>
To: ada@example.com
Subject: =?UTF-8?Q?Welcome=2C_Tom=C3?= =?UTF-8?Q?=A1s_=F0=9F=8E=89?=
Message-ID: <1@pennytext.example>
MIME-Version: 1.0
Content-Type: multipart/alternative;
 boundary="--_NmP-1-Part_1"

----_NmP-1-Part_1
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

Your 3 free credits are here. A long line that nodemailer breaks softly =
goes on: 1 =3D 1, =E2=82=AC.

----_NmP-1-Part_1
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: base64

${Buffer.from('<p>Grüße</p>').toString('base64')}

----_NmP-1-Part_1--
`),
    );
    expect(mail.headers).toMatchObject({
      subject: 'Welcome, Tomás 🎉',
      from: 'Pénnytext <hello@pennytext.example>',
      'message-id': '<1@pennytext.example>',
    });
    expect(mail.text?.trim()).toBe(
      'Your 3 free credits are here. A long line that nodemailer breaks softly goes on: 1 = 1, €.',
    );
    expect(mail.html).toBe('<p>Grüße</p>');
  });

  it('reads parts within parts and names what is attached', () => {
    const mail = parseMail(
      wire(`Content-Type: multipart/mixed; boundary=out

--out
Content-Type: multipart/alternative; boundary=in

--in

Hello
--in
Content-Type: text/html

<b>Hello</b>
--in--
--out
Content-Type: application/pdf; name="receipt.pdf"
Content-Disposition: attachment; filename="=?UTF-8?B?${Buffer.from('Bélég.pdf').toString('base64')}?="
Content-Transfer-Encoding: base64

AAAA
--out--
`),
    );
    expect(mail).toMatchObject({ text: 'Hello', html: '<b>Hello</b>', attachments: ['Bélég.pdf'] });
  });

  it('keeps the space at the end of an encoded word', () => {
    const folded = 'Subject: =?UTF-8?Q?on_and_on_?=\r\n =?UTF-8?Q?with_=C3=BC?= and plain\r\n\r\n';
    expect(parseMail(folded).headers['subject']).toBe('on and on with ü and plain');
  });

  it('reads another charset, and bytes that are no UTF-8', () => {
    const latin = 'Content-Type: text/plain; charset=iso-8859-1\r\n\r\nGr\xfc\xdfe';
    expect(parseMail(latin).text).toBe('Grüße');
    expect(parseMail('Subject: \xfc\r\n\r\n\xfc')).toMatchObject({ text: 'ü', headers: { subject: 'ü' } });
  });

  it.each([
    ['', { text: '', html: null }],
    ['no headers at all', { text: '', html: null }],
    ['Content-Type: multipart/mixed; boundary=x\r\n\r\nnothing', { text: null, html: null }],
    ['Content-Type: text/plain; charset=klingon\r\n\r\nHi', { text: 'Hi' }],
    ['__proto__: x\r\n\r\nHi', { text: 'Hi' }],
  ])('survives %j', (source, expected) => {
    expect(parseMail(source)).toMatchObject(expected);
  });
});
