import fc from 'fast-check';
import twilio from 'twilio';
import { readTwiml, spokenText } from './twiml.js';

const say = (text: string) => `<Response><Say>${text}</Say></Response>`;
const problemOf = (text: string) => {
  const read = readTwiml(text);
  return read.kind === 'invalid' ? read.problem : null;
};
const spokenOf = (text: string) => {
  const read = readTwiml(text);
  return read.kind === 'read' ? spokenText(read.sentences) : read.problem;
};

describe('readTwiml', () => {
  it("reads the example of Twilio's page on making calls", () => {
    expect(readTwiml('<Response><Say>Ahoy there!</Say></Response>')).toEqual({
      kind: 'read',
      sentences: [{ text: 'Ahoy there!', language: 'en-US', voice: 'man' }],
    });
  });

  it("reads the examples of Twilio's page on Say: voice, language and loop", () => {
    const document = `<?xml version="1.0" encoding="UTF-8"?>
      <Response>
          <Say voice="woman" language="fr-FR">Chapeau!</Say>
          <Pause length="5"/>
          <Say voice='Polly.Mathieu' loop="2">Bonjour!</Say>
      </Response>`;
    const hello = { text: 'Bonjour!', language: 'en-US', voice: 'Polly.Mathieu' };
    expect(readTwiml(document)).toEqual({
      kind: 'read',
      sentences: [{ text: 'Chapeau!', language: 'fr-FR', voice: 'woman' }, hello, hello],
    });
  });

  it('reads the output of the SDK for any text', () => {
    // XML 1.0 has no form for other control characters and for halves of surrogate pairs.
    const texts = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .map((text) => text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''))
      .filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(texts, (text) => {
        const response = new twilio.twiml.VoiceResponse();
        response.say({ language: 'en-GB' }, text);
        response.pause({ length: 1 });
        expect(spokenOf(response.toString())).toBe(text.replace(/\s+/g, ' ').trim());
      }),
    );
  });

  it.each([
    [say('1, 2 &amp; 3 &#8211; &#x1F389;'), '1, 2 & 3 – 🎉'],
    [say('<![CDATA[1 < 2]]> is<!-- not --> true'), '1 < 2 is true'],
    [say('Your code is <say-as interpret-as="digits">123</say-as><break time="1s"/>again'), 'Your code is 123 again'],
    ['<Response/>', ''],
  ])('reads %s', (document, spoken) => {
    expect(spokenOf(document)).toBe(spoken);
  });

  it.each([
    ['', '12100'],
    ['Hello', '12100'],
    ['<Response><Say>Hello</Response>', '12100'],
    ['<Response><Say>Hello</Say>', '12100'],
    ['<Response></Response><Response/>', '12100'],
    [say('1 & 2'), '12100'],
    [say('&nbsp;'), '12100'],
    [say('&#0;'), '12100'],
    [say('&#xD800;'), '12100'],
    ['<Response><Say voice=woman>x</Say></Response>', '12100'],
    ['<Response><Say loop="1" loop="2">x</Say></Response>', '12100'],
    ['<!DOCTYPE a [<!ENTITY b "c">]><Response><Say>&b;</Say></Response>', '12100'],
    [`<Response>${'<Say>'.repeat(40)}${'</Say>'.repeat(40)}</Response>`, '12200'],
    ['<Answer/>', '12102'],
    ['<Response>Hello</Response>', '12200'],
    ['<Response><say>Hello</say></Response>', '12200'],
    ['<Response><Say speed="2">Hello</Say></Response>', '12200'],
    ['<Response><Say><Pause/></Say></Response>', '12200'],
    [say(' '), '13520'],
    ['<Response><Say loop="x">Hello</Say></Response>', '13510'],
    ['<Response><Say language="?">Hello</Say></Response>', '13512'],
    ['<Response><Pause length="0"/></Response>', '13610'],
  ])('refuses %s', (document, code) => {
    expect(problemOf(document)?.split(':')[0]).toBe(code);
  });

  it.each(['<!--', '<![CDATA[', '<a ', '&', '<Say a="', '</'])('refuses a long document of %s', (part) => {
    expect(problemOf(`<Response>${part.repeat(Math.floor(4_000 / part.length))}`)).toMatch(/^12100/);
  });
});
