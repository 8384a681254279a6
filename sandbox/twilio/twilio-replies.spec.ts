import { problemOf } from './twilio-replies.js';

describe('problemOf', () => {
  it.each([
    [200, 'text/xml', '<Response/>', null],
    [200, 'text/xml; charset=utf-8', '<?xml version="1.0" encoding="UTF-8"?>\n<Response></Response>', null],
    [200, '', '', null],
    [500, '', '', '11200: HTTP retrieval failure: 500'],
    [200, 'application/json', '{}', '12300: Invalid Content-Type: application/json'],
    [200, '', '<Response/>', '12300: Invalid Content-Type: none'],
    [200, 'text/html', '<html>Not found</html>', '12100: Document parse failure'],
    [200, 'text/xml', '<Response><Message>not executed</Message></Response>', '12100: Document parse failure'],
  ])('returns for %i %s %s the error that Twilio would log', (status, type, text, problem) => {
    expect(problemOf(status, type, text)).toBe(problem);
  });
});
