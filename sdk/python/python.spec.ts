import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { accepted } from '../../contract/examples.js';
import { describeConformance, whereTool } from '../conformance/testing/language-suite.js';

const wherePython = whereTool('python3');
const STRICT = ['-W', 'error', '-X', 'dev'];
const SEND = `
from pennytext import Pennytext
with Pennytext() as client:
    sent = client.send(to="+12025550142", message="Hello from Pennytext")
    print(sent.message_id, sent.credits + sent.balance)
`;

describeConformance(wherePython, 'Python', () => ({
  command: 'python3',
  args: [...STRICT, '-B', 'tests/conformance.py'],
  cwd: __dirname,
}));

wherePython('the Python client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pennytext-python-'));
  const python = (args: readonly string[]) =>
    execFileSync('python3', args, {
      cwd: __dirname,
      stdio: 'pipe',
      env: { ...process.env, PYTHONPYCACHEPREFIX: folder },
    });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('compiles without a warning', () => {
    python(['-W', 'error', '-m', 'compileall', '-q', 'pennytext', 'tests', 'build_backend.py']);
  });

  it('keeps what it promises beside the conformance suite', () => {
    python([...STRICT, '-m', 'unittest', '-q', 'tests/test_client.py']);
  });

  it('is installed without a network, from the wheel and from the source distribution', async () => {
    const project = join(folder, 'project');
    const run = (command: string, args: readonly string[], env = {}) =>
      promisify(execFile)(command, args, { cwd: folder, env: { ...process.env, ...env } });
    await Promise.all([
      run(process.execPath, [join(__dirname, '../../tools/clients/pack-python.mjs'), folder]),
      run('python3', ['-m', 'venv', project]),
    ]);
    const archives = readdirSync(folder).filter((name) => name.startsWith('pennytext-'));
    expect(archives.sort()).toEqual([
      expect.stringMatching(/-py3-none-any\.whl$/),
      expect.stringMatching(/\.tar\.gz$/),
    ]);
    writeFileSync(join(folder, 'send.py'), SEND);
    const server = createServer((_request, response) => response.end(JSON.stringify(accepted)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      for (const archive of archives) {
        const install = [
          'install',
          '--quiet',
          '--no-index',
          '--force-reinstall',
          '--disable-pip-version-check',
          archive,
        ];
        await run(join(project, 'bin/pip'), install);
        const sent = await run(join(project, 'bin/python'), [...STRICT, 'send.py'], {
          PENNYTEXT_URL: url,
          PENNYTEXT_API_KEY: 'packaged-key',
        });
        expect(sent).toEqual({ stdout: `${accepted.message_id} ${accepted.credits + accepted.balance}\n`, stderr: '' });
      }
    } finally {
      server.close();
    }
  }, 120_000);
});
