import { instructionsIn } from './twiml.js';

describe('instructionsIn', () => {
  it.each([
    ['text/xml', '<Response/>', []],
    ['text/xml; charset=utf-8', '<?xml version="1.0" encoding="UTF-8"?>\n<Response></Response>', []],
    ['application/xml', '<Response><!-- <Message>no</Message> --></Response>', []],
    ['text/xml', '<Response><Message>Tom &amp; J&#233;r&#xF4;me &lt;3</Message></Response>', ['Tom & Jérôme <3']],
    [
      'text/xml',
      '<Response><Message to="+1"><Body>One</Body></Message><Message>Two</Message></Response>',
      ['One', 'Two'],
    ],
    ['text/xml', '<Response><Message><![CDATA[a < b &amp; c]]></Message></Response>', ['a < b &amp; c']],
    ['text/xml', '<Response><Message/></Response>', []],
    ['text/plain', 'Thanks!', ['Thanks!']],
    ['', '', []],
  ])('reads %s %s', (type, body, texts) => {
    expect(instructionsIn(type, body)).toEqual({ texts });
  });

  it.each([
    ['application/json', '{}', '12300: Invalid Content-Type: application/json'],
    ['', '<Response/>', '12300: Invalid Content-Type: none'],
    ['text/html', '<html>Not found</html>', '12100: Document parse failure'],
    ['text/xml', '<Response><Message>never ended', '12100: Document parse failure'],
  ])('says what Twilio would log for %s %s', (type, body, problem) => {
    expect(instructionsIn(type, body)).toEqual({ problem });
  });
});
