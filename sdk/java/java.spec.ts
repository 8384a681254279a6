import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import * as examples from '../../contract/examples.js';
import { describeConformance, whereTool } from '../conformance/testing/language-suite.js';

const BUILD_BOUND_MS = 120_000;
/** Programs of seconds need not be optimized. */
const JVM = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

const whereJava = whereTool('javac', '-version');
const readme = readFileSync(join(__dirname, 'README.md'), 'utf8');
const programs = Array.from(readme.matchAll(/```java\n([^]*?)```/g), ([, text = '']) => text);
// Each program of the documentation is a class Client.
const samplesFolder = join(__dirname, '../../web/src/content/samples');
const samples = readdirSync(samplesFolder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('/Client.java'))
  .map((path, n) => readFileSync(join(samplesFolder, path), 'utf8').replace('class Client ', `class Client${n} `));
const packer = join(__dirname, '../../tools/clients/pack-java.mjs');

let folder = '';
let built: { readonly name: string; readonly path: string } | undefined;

/** Makes the jar, and compiles all programs with it in one run of javac. */
function build() {
  if (built) return built;
  folder = mkdtempSync(join(tmpdir(), 'pennytext-java-'));
  const classes = join(folder, 'classes');
  const { stdout, stderr } = spawnSync(process.execPath, [packer, folder], { encoding: 'utf8' });
  expect(stderr).toBe('');
  const name = stdout.trim();
  const project = join(folder, 'project');
  mkdirSync(project);
  const files = [...programs, ...samples].map((text) => {
    const file = join(project, `${/public class (\w+)/.exec(text)?.[1] ?? ''}.java`);
    writeFileSync(file, text);
    return file;
  });
  const runner = join(__dirname, 'src/test/java/io/pennytext/Conformance.java');
  const options = ['-Xlint:all', '-proc:none', '-Werror', '--release', '11', '-cp', join(folder, name), '-d', classes];
  const compiler = JVM.map((option) => `-J${option}`);
  const compiled = spawnSync('javac', [...compiler, ...options, runner, ...files], { encoding: 'utf8' });
  expect(compiled.stderr + compiled.stdout).toBe('');
  built = { name, path: [join(folder, name), classes].join(delimiter) };
  return built;
}

afterAll(() => {
  if (folder) rmSync(folder, { recursive: true });
});

describeConformance(
  whereJava,
  'Java',
  () => ({ command: 'java', args: [...JVM, '-cp', build().path, 'io.pennytext.Conformance'], cwd: __dirname }),
  ['untyped_arguments'],
);

const answers: Readonly<Record<string, object>> = {
  '/api/sendsms': examples.accepted,
  '/api/sendbulk': examples.acceptedBulk,
  '/api/sendotp': examples.sentOtp,
  '/api/verifyotp': examples.verifiedOtp,
  '/api/messages': examples.messagePage,
};
const refusal = { success: 'false', code: 'invalid_number', detail: 'This is not a valid phone number.' };
const printed: Readonly<Record<string, string>> = {
  Send: `${examples.accepted.message_id} delivered\n`,
  Bulk: '2 verified\n',
  Lists: `+12025550142\ntrue 400 ${refusal.detail}\n`,
};

whereJava('the jar', () => {
  let server: Server;
  let environment: NodeJS.ProcessEnv;
  const agents = new Set<string | undefined>();

  const start = (name: string) =>
    spawn('java', [...JVM, '-cp', build().path, name], { cwd: folder, env: { ...process.env, ...environment } });

  beforeAll(async () => {
    build();
    server = createServer((request, response) => {
      let body = '';
      agents.add(request.headers['user-agent']);
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const isRefused = body.includes('"+1202"');
        const answer = answers[(request.url ?? '').replace(/\?.*/, '')] ?? examples.delivered;
        response.writeHead(isRefused ? 400 : 200).end(JSON.stringify(isRefused ? refusal : answer));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const key = Buffer.from('secret-of-the-readme').toString('base64');
    environment = {
      PENNYTEXT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      PENNYTEXT_API_KEY: 'key-of-the-jar',
      PENNYTEXT_WEBHOOK_SECRET: `whsec_${key}`,
      PORT: '0',
    };
  }, BUILD_BOUND_MS);

  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  it.each(Object.keys(printed))('runs the program %s of the README', async (name) => {
    expect(await outputOf(start(name))).toEqual({ stdout: printed[name], stderr: '' });
    expect([...agents]).toEqual([expect.stringMatching(/^pennytext-java\/0\.1\.0 \(Java\/[\d._]+\)$/)]);
  });

  it('runs the server of the README, which refuses a wrong signature', async () => {
    const started = start('Hook');
    const output = outputOf(started);
    const [first] = (await once(started.stdout, 'data')) as [Buffer];
    const port = /(\d+)\n$/.exec(first.toString())?.[1];
    const body = JSON.stringify(examples.received);
    const timestamp = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', 'secret-of-the-readme')
      .update(`msg_1.${timestamp}.${body}`)
      .digest('base64');
    const post = async (signed: string) => {
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': `${timestamp}`, 'webhook-signature': signed };
      return (await fetch(`http://127.0.0.1:${port}/hook`, { method: 'POST', headers, body })).status;
    };
    expect(await post(`v1,${signature}`)).toBe(200);
    expect(await post('v1,AAAA')).toBe(400);
    started.kill();
    expect((await output).stdout).toContain(`\n${examples.received.Message}\n`);
  });

  it('has the sources, the POM and the license', () => {
    const jar = readFileSync(join(folder, build().name), 'latin1');
    for (const name of ['META-INF/LICENSE', 'META-INF/maven/io.pennytext/pennytext/pom.xml', 'io/pennytext/Value.java'])
      expect(jar).toContain(name);
  });

  it('has the version of the API, and the sources and the README name it', () => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../typescript/package.json'), 'utf8')) as {
      readonly version: string;
    };
    const transport = readFileSync(join(__dirname, 'src/main/java/io/pennytext/Transport.java'), 'utf8');
    expect(build().name).toBe(`pennytext-${version}.jar`);
    expect(transport).toContain(`VERSION = "${version}"`);
    expect(new Set(readme.match(/pennytext-[\d.]+\d/g))).toEqual(new Set([`pennytext-${version}`]));
  });
});

async function outputOf(started: ChildProcessWithoutNullStreams) {
  const output = { stdout: '', stderr: '' };
  started.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  started.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  await once(started, 'close');
  return output;
}
