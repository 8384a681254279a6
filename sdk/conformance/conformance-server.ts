import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { caseFiles, casesIn, type ConformanceCase } from './case.js';
import { differencesOf, outcome } from './judge.js';
import { MockService } from './mock-service.js';

interface Run {
  readonly one: ConformanceCase;
  readonly mock: MockService;
}

const OUTCOME_BYTES_MAX = 50_000_000;

/**
 * Server for runners in any language: `GET /cases` lists the names, `POST /cases/{name}` starts a
 * case and returns what to call, `POST /runs/{id}` takes the outcome and returns the differences.
 */
export function conformanceServer(folder: string): Server {
  const cases = new Map(caseFiles(folder).flatMap((file) => casesIn(file).map((one) => [one.name, one])));
  const runs = new Map<string, Run>();

  async function answer(method: string, path: string, body: string): Promise<unknown> {
    const [, kind, id = ''] = path.split('/');
    if (method === 'GET' && kind === 'cases') return [...cases.keys()];
    const one = cases.get(id);
    if (method === 'POST' && kind === 'cases' && one) {
      const mock = await MockService.open(one);
      const run = randomUUID();
      runs.set(run, { one, mock });
      const { client, environment, call, cancel, needs } = mock.filled(one);
      return { run, client, environment, call, cancel: cancel ?? null, needs: needs ?? null };
    }
    const run = runs.get(id);
    if (method === 'POST' && kind === 'runs' && run) {
      runs.delete(id);
      run.mock.close();
      const differences = await differencesOf(run.mock.filled(run.one), run.mock, outcome.parse(JSON.parse(body)));
      return { passed: differences.length === 0, differences };
    }
    return undefined;
  }

  const server = createServer((request, response) => {
    textOf(request)
      .then((body) => answer(request.method ?? '', request.url ?? '', body))
      .then((value) => response.writeHead(value === undefined ? 404 : 200).end(JSON.stringify(value ?? null)))
      .catch((error: unknown) => response.writeHead(400).end(JSON.stringify({ error: String(error) })));
  });
  // A runner starts the cases that it passes over, and never ends them.
  return server.on('close', () => runs.forEach(({ mock }) => mock.close()));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > OUTCOME_BYTES_MAX) throw new Error('The outcome is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
