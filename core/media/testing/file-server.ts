import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A server of files on a free port of this machine, in place of a carrier's storage. */
export interface FileServer {
  readonly origin: string;
  /** Path and authorization of each request. */
  readonly requests: { readonly path: string; readonly authorization: string | undefined }[];
  /** Serves bytes at a path, or the function's answer; returns the URL. */
  serve(path: string, content: Buffer | Answer): string;
  close(): Promise<void>;
}

export async function startFileServer(): Promise<FileServer> {
  const contents = new Map<string, Buffer | Answer>();
  const requests: FileServer['requests'] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push({ path, authorization: request.headers.authorization });
    const content = contents.get(path);
    if (content === undefined) response.writeHead(404).end();
    else if (typeof content === 'function') content(response, request);
    else response.writeHead(200, { 'content-length': content.length }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    requests,
    serve: (path, content) => {
      contents.set(path, content);
      return `${origin}${path}`;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
