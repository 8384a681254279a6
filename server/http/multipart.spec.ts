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
  it('has a file, byte by byte', async () => {
    const body = bodyOf([...partOf('name="file"; filename="a.png"', content), END]);
    expect(Buffer.from(await uploadedFile(body))).toEqual(content);
  });

  it('may have fields beside it, a quoted boundary, and any name', async () => {
    const body = bodyOf(
      [...partOf('name="note"', 'hello'), ...partOf('name="photo"; filename="../../etc/x"', content), END],
      'multipart/form-data; charset=utf-8; boundary="b"',
    );
    expect(Buffer.from(await uploadedFile(body))).toEqual(content);
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
    [
      'too many parts',
      bodyOf([...Array.from({ length: 21 }, () => partOf('name="a"', 'a')).flat(), END]),
      'invalid_request',
    ],
  ])('is refused with %s', async (_what, body, code) => {
    await expect(uploadedFile(body)).rejects.toMatchObject({ code });
  });

  it('is no JSON for other calls', () => {
    expect(() => bodyOf([END]).read()).toThrow('This call reads JSON or a form.');
  });
});
