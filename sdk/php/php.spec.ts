import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeConformance, whereTool } from '../conformance/testing/language-suite.js';

const STRICT = ['-d', 'error_reporting=-1', '-d', 'display_errors=stderr', '-d', 'log_errors=0'];
const FIRST_LINES = /^<\?php\n\n(?:\/\/ [^\n]+\n\n)?declare\(strict_types=1\);\n/;
const run = promisify(execFile);

const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.php'))
  .sort();

describeConformance(whereTool('php'), 'PHP', () => ({
  command: 'php',
  args: [...STRICT, 'tests/conformance.php'],
  cwd: __dirname,
}));

describe('the sources of the PHP client', () => {
  it('have strict types', () => {
    expect(files.length).toBeGreaterThan(90);
    expect(files.filter((path) => !FIRST_LINES.test(readFileSync(join(__dirname, path), 'utf8')))).toEqual([]);
  });
});

whereTool('php')('the sources of the PHP client and php', () => {
  it('pass php -l without a notice', async () => {
    const half = Math.ceil(files.length / 2);
    const check = async (paths: readonly string[]) => {
      for (const path of paths) {
        const { stderr } = await run('php', [...STRICT, '-l', path], { cwd: __dirname });
        expect([path, stderr]).toEqual([path, '']);
      }
    };
    await Promise.all([check(files.slice(0, half)), check(files.slice(half))]);
  }, 60_000);
});

/** Answers as services and their proxies frame them. */
const framings: Readonly<Record<string, (response: ServerResponse, body: string) => void>> = {
  '/api/sendsms': (response, body) => {
    response.writeProcessing();
    response.write(body.slice(0, 9));
    response.end(body.slice(9));
  },
  '/api/balance': (response, body) => {
    response.useChunkedEncodingByDefault = false;
    response.shouldKeepAlive = false;
    response.write(body);
    response.end();
  },
};

const answers: Readonly<Record<string, object>> = {
  '/api/sendsms': { success: 'true', message_id: 'SM0199d0d07c5a7b1f8e0a4f6f2f9c1b3d', credits: 1, segments: 1 },
  '/api/balance': { success: 'true', balance: 212 },
};

function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  framings[url]?.(response, JSON.stringify(answers[url]));
}

describe('a program with the PHP client', () => {
  let folder: string;
  let server: Server;
  const seen: IncomingMessage[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pennytext-php-'));
    server = createServer((request, response) => {
      seen.push(request);
      request.resume().on('end', () => answer(request, response));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });

  afterAll(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  });

  beforeEach(() => void seen.splice(0));

  async function printed(args: readonly string[], cwd: string): Promise<string> {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { ...process.env, PENNYTEXT_URL: address, PENNYTEXT_API_KEY: 'key-of-the-spec' };
    const { stdout, stderr } = await run('php', [...STRICT, ...args], { cwd, env });
    expect(stderr).toBe('');
    return stdout;
  }

  whereTool('composer')('in a project of Composer', () => {
    it('is installed from the archive without network, and sends', async () => {
      const project = join(folder, 'project');
      const packages = join(project, 'packages');
      mkdirSync(packages, { recursive: true });
      execFileSync(process.execPath, [join(__dirname, '../../tools/clients/pack-php.mjs'), packages]);
      expect(readdirSync(packages)).toEqual(['pennytext-php-0.1.0.zip']);
      writeFileSync(join(project, 'composer.json'), '{"repositories": {"packagist.org": false}}');
      const env = {
        ...process.env,
        COMPOSER_HOME: join(folder, 'composer'),
        COMPOSER_ALLOW_SUPERUSER: '1',
        COMPOSER_DISABLE_NETWORK: '1',
      };
      const composer = (...args: string[]) =>
        run('composer', [...args, '--no-interaction', '--quiet'], { cwd: project, env });
      await composer('config', 'repositories.pennytext', 'artifact', 'packages');
      await composer('require', 'pennytext/pennytext');
      expect(readdirSync(join(project, 'vendor/pennytext/pennytext')).sort()).toEqual([
        'LICENSE',
        'README.md',
        'composer.json',
        'src',
      ]);
      writeFileSync(join(project, 'send.php'), program);
      expect(await printed(['send.php'], project)).toBe('SM0199d0d07c5a7b1f8e0a4f6f2f9c1b3d 1 212 0.1.0');
      expect(seen.map(({ headers }) => headers['user-agent'])).toEqual([
        expect.stringMatching(/^pennytext-php\/0\.1\.0 \(PHP\/8\.\d+\.\d+[^()]*\)$/),
        expect.stringMatching(/^pennytext-php\/0\.1\.0 /),
      ]);
    }, 60_000);
  });

  whereTool('php')('and an HTTP client of its own', () => {
    it('sends through PSR-18, and shows no key of a failed request', async () => {
      const lines = (await printed(['tests/psr-client.php'], __dirname)).trim().split('\n');
      expect(lines).toEqual(['212', 'connection_failed: The host is unreachable.', 'no key']);
      expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer key-of-the-spec']);
    });
  });

  whereTool('php')('that prints, stores and copies', () => {
    it('shows no key, and refuses to be serialized', async () => {
      expect(await printed(['tests/hidden-key.php'], __dirname)).toBe('hidden, not serialized');
    });
  });
});

const program = `<?php
require __DIR__ . '/vendor/autoload.php';
$client = new Pennytext\\Client();
$sent = $client->send(to: '+12025550142', message: 'Hello from Pennytext');
echo "$sent->messageId $sent->credits {$client->balance()->balance} ";
echo Composer\\InstalledVersions::getPrettyVersion('pennytext/pennytext');
`;
