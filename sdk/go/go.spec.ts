import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { accepted } from '../../contract/examples.js';
import { describeConformance, whereTool } from '../conformance/testing/language-suite.js';

/** The first build on a machine compiles Go's own library. */
const BUILD_BOUND_MS = 300_000;

const whereGo = whereTool('go', 'version');
const folder = mkdtempSync(join(tmpdir(), 'pennytext-go-'));
const tests = join(folder, 'pennytext.test');
const env = { ...process.env, GOFLAGS: '-mod=mod -modcacherw', GOPROXY: 'off', GOTOOLCHAIN: 'local' };

function go(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('go', args, { cwd: __dirname, env, encoding: 'utf8' });
  return status === 0 ? stdout : stdout + stderr;
}

function build(): void {
  const output = go('test', '-c', '-o', tests, '.');
  if (output !== '') throw new Error(output);
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeConformance(
  whereGo,
  'Go',
  () => {
    build();
    return { command: tests, args: [], cwd: __dirname };
  },
  ['untyped_arguments', 'empty_arguments'],
);

whereGo('the Go client', () => {
  it('passes its tests', () => {
    const { stdout } = spawnSync(tests, ['-test.timeout=60s'], { cwd: __dirname, encoding: 'utf8' });
    expect(stdout.trim()).toBe('PASS');
  });

  it('is formatted by gofmt', () => {
    expect(execFileSync('gofmt', ['-l', __dirname], { encoding: 'utf8' })).toBe('');
  });

  it(
    'is accepted by go vet',
    () => {
      expect(go('vet', './...')).toBe('');
    },
    BUILD_BOUND_MS,
  );
});

whereGo('the module of the Go client', () => {
  const project = join(folder, 'project');
  const requests: string[] = [];
  let server: Server;
  let address = '';

  beforeAll(async () => {
    const site = join(folder, 'site');
    execFileSync(process.execPath, [join(__dirname, '../../tools/clients/pack-go.mjs'), site]);
    server = createServer((request, response) => {
      const path = decodeURIComponent(request.url ?? '');
      if (request.method === 'POST') {
        requests.push(path);
        return void response.end(JSON.stringify(accepted));
      }
      try {
        response.end(readFileSync(join(site, path)));
      } catch {
        response.writeHead(404).end();
      }
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    mkdirSync(project);
    writeFileSync(join(project, 'main.go'), program);
  });

  afterAll(() => server.close());

  it(
    'is installed from the site into an empty project, without a registry, and sends',
    async () => {
      const options = {
        cwd: project,
        env: {
          ...env,
          GOMODCACHE: join(folder, 'modules'),
          GOPROXY: `${address}/go`,
          GONOSUMDB: 'pennytext.example',
          PENNYTEXT_URL: address,
          PENNYTEXT_API_KEY: 'key',
        },
      };
      const run = promisify(execFile);
      await run('go', ['mod', 'init', 'example.com/project'], options);
      await run('go', ['get', 'pennytext.example/pennytext'], options);
      const { stdout } = await run('go', ['run', '.'], options);
      expect(stdout).toBe(`${accepted.message_id} ${accepted.credits}\n`);
      expect(requests).toEqual(['/api/sendsms']);
      const installed = join(folder, 'modules/pennytext.example/pennytext@v0.1.0');
      expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toContain('MIT');
      expect(() => readFileSync(join(installed, 'client_test.go'))).toThrow('ENOENT');
    },
    BUILD_BOUND_MS,
  );
});

const program = `package main

import (
	"context"
	"fmt"
	"log"

	"pennytext.example/pennytext"
)

func main() {
	client, err := pennytext.NewClient(pennytext.Options{})
	if err != nil {
		log.Fatal(err)
	}
	sent, err := client.Send(context.Background(), pennytext.SendParams{To: "+12025550142", Message: "Hello"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sent.MessageID, sent.Credits)
}
`;
