import { uploadedFile } from './multipart.js';
import { UnreadBody } from './unread-body.js';

const content = Buffer.from([0, 13, 10, 45, 45, 99, 255, 254]);

function bodyOf(text: (string | Buffer)[], contentType = 'multipart/form-data; boundary=b') {
  const bytes = Buffer.concat(text.map((part) => Buffer.from(part)));
  return new UnreadBody(bytes, { format: 'multipart', charset: 'utf-8', contentType }, false);
}
const partOf = (disposition: string, body: string | Buffer) => [
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`,
  body,
  '\r\n',
];
const END = '--b--\r\n';

describe('A multipart body', () => {
  it('has a file, byte by byte', () => {
    const body = bodyOf([...partOf('name="file"; filename="a.png"', content), END]);
    expect(Buffer.from(uploadedFile(body))).toEqual(content);
  });

  it('may have fields beside it, a quoted boundary, and any name', () => {
    const body = bodyOf(
      [...partOf('name="note"', 'hello'), ...partOf('name="photo"; filename="../../etc/x"', content), END],
      'multipart/form-data; charset=utf-8; boundary="b"',
    );
    expect(Buffer.from(uploadedFile(body))).toEqual(content);
  });

  it.each([
    ['no boundary in its type', bodyOf([END], 'multipart/form-data; x=b'), 'invalid_request'],
    ['no file', bodyOf([...partOf('name="file"', 'text'), END]), 'missing_fields'],
    [
      'two files',
      bodyOf([...partOf('name="a"; filename="a"', 'a'), ...partOf('name="b"; filename="b"', 'b'), END]),
      'invalid_request',
    ],
    ['no end', bodyOf(partOf('name="a"; filename="a"', 'a')), 'invalid_request'],
    ['a broken head', bodyOf(['--b\r\nContent-Disposition\r\n\r\nx\r\n', END]), 'invalid_request'],
    ['a part without a name', bodyOf([...partOf('filename="a"', 'a'), END]), 'invalid_request'],
    ['a name without an end', bodyOf([...partOf('name="a"; filename="a', 'a'), END]), 'invalid_request'],
    [
      'a boundary that goes on',
      bodyOf(['--bx\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\na\r\n', END]),
      'invalid_request',
    ],
    [
      'too many parts',
      bodyOf([...Array.from({ length: 21 }, () => partOf('name="a"', 'a')).flat(), END]),
      'invalid_request',
    ],
  ])('is refused with %s', (_what, body, code) => {
    expect(() => uploadedFile(body)).toThrow(expect.objectContaining({ code }));
  });

  it.each([
    ['one header of 9,000 bytes', `X: ${'a'.repeat(9_000)}\r\n`],
    ['a million lines of headers', 'a:\r\n'.repeat(1_000_000)],
  ])('is refused, and not read on, with %s', (_what, headers) => {
    const body = bodyOf([`--b\r\n${headers}Content-Disposition: form-data; name="a"; filename="a"\r\n\r\nx\r\n`, END]);
    const read = jest.spyOn(body.bytes, 'toString');
    expect(() => uploadedFile(body)).toThrow('The body is not valid multipart/form-data.');
    for (const [, from = 0, to = body.bytes.length] of read.mock.calls) expect(to - from).toBeLessThan(9_000);
  });

  it.each([
    ['8,000 bytes of headers', `X: ${'a'.repeat(8_000)}\r\nContent-Disposition: form-data; name="a"; filename="a"`],
    [
      'headers in other case and order',
      'CONTENT-TYPE: image/png\r\ncontent-disposition:FORM-DATA;filename="a";name="a"',
    ],
    ['a name in RFC 5987 alone', `Content-Disposition: form-data; name="a"; filename*=UTF-8''%e2%82%ac.png`],
    ['both kinds of names', `Content-Disposition: form-data; name=a; filename=a.png; filename*=utf-8''a.png`],
    ['signs in a name', 'Content-Disposition: form-data; name="a"; filename="a; b=\\é😀.png"'],
  ])('may have a file with %s', (_what, head) => {
    const body = bodyOf([`--b\r\n${head}\r\n\r\n`, content, '\r\n', END]);
    expect(Buffer.from(uploadedFile(body))).toEqual(content);
  });

  it('may have a file in base64, and takes no file name from the name of a field', () => {
    const head = '--b\r\nContent-Disposition: form-data; name="a"; filename="a"\r\nContent-Transfer-Encoding: base64';
    const note = partOf('name="note; filename=a"', 'hello');
    const body = bodyOf([...note, `${head}\r\n\r\n`, content.toString('base64'), '\r\n', END]);
    expect(Buffer.from(uploadedFile(body))).toEqual(content);
  });

  it('is no JSON for other calls', () => {
    expect(() => bodyOf([END]).read()).toThrow('This call reads JSON or a form.');
  });
});
