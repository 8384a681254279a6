import { parseMail } from './mailbox.js';

/** A mail as it is transmitted. */
const wire = (text: string) => Buffer.from(text.replace(/\r?\n/g, '\r\n'), 'utf8');

describe('parseMail', () => {
  it('parses the format of nodemailer: alternatives in quoted-printable and base64, encoded headers', async () => {
    const mail = await parseMail(
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

  it('parses nested parts and lists attachments', async () => {
    const mail = await parseMail(
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

  it('keeps the space at the end of an encoded word', async () => {
    const folded = 'Subject: =?UTF-8?Q?on_and_on_?=\r\n =?UTF-8?Q?with_=C3=BC?= and plain\r\n\r\n';
    expect((await parseMail(wire(folded))).headers['subject']).toBe('on and on with ü and plain');
  });

  it('decodes the declared charset', async () => {
    const latin = Buffer.from('Content-Type: text/plain; charset=iso-8859-1\r\n\r\nGr\xfc\xdfe', 'latin1');
    expect((await parseMail(latin)).text).toBe('Grüße');
  });

  it.each([
    ['', { text: null, html: null }],
    ['no headers at all', { text: null, html: null }],
    ['Content-Type: multipart/mixed; boundary=x\r\n\r\nnothing', { text: null, html: null }],
    ['Content-Type: text/plain; charset=klingon\r\n\r\nHi', { text: 'Hi' }],
    ['__proto__: x\r\n\r\nHi', { text: 'Hi' }],
  ])('survives %j', async (source, expected) => {
    expect(await parseMail(wire(source))).toMatchObject(expected);
  });
});
