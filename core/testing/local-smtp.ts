import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A mail server on a free port of this machine (RFC 5321), as much of it as one needs to send. */
export interface LocalSmtp {
  readonly url: string;
  /** What was taken: the mail as it came over the wire. */
  readonly mails: string[];
  /** The answer to the next commands of this name, in place of the usual one; undefined breaks the connection. */
  answers: Map<string, string | undefined>;
  close(): Promise<void>;
}

export async function startLocalSmtp(): Promise<LocalSmtp> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    let buffer = '';
    let inData = false;
    const say = (command: string, usual: string) => {
      const answer = smtp.answers.has(command) ? smtp.answers.get(command) : usual;
      if (answer === undefined) socket.destroy();
      else socket.write(`${answer}\r\n`);
    };
    socket.on('data', (chunk: Buffer) => {
      buffer += chunk.toString('utf8');
      const end = inData ? '\r\n.\r\n' : '\r\n';
      for (let at = buffer.indexOf(end); at >= 0; at = buffer.indexOf(end)) {
        const line = buffer.slice(0, at);
        buffer = buffer.slice(at + end.length);
        if (inData) {
          smtp.mails.push(line);
          inData = false;
          say('.', '250 taken');
          return;
        }
        const command = line.split(/[ :]/)[0]?.toUpperCase() ?? '';
        inData = command === 'DATA' && !smtp.answers.has('DATA');
        say(command, command === 'DATA' ? '354 go on' : command === 'QUIT' ? '221 bye' : '250 fine');
        if (inData) return;
      }
    });
    socket.write('220 mail.test ready\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const smtp: LocalSmtp = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails: [],
    answers: new Map(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        open.forEach((socket) => socket.destroy());
      }),
  };
  return smtp;
}
