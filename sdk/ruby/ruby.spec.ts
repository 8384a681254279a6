import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as examples from '../../contract/examples.js';
import { describeConformance, whereTool } from '../conformance/testing/language-suite.js';

const whereRuby = whereTool('ruby');
const sources = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.rb'));

describeConformance(whereRuby, 'Ruby', () => ({
  command: 'ruby',
  args: ['-w', '-I', 'lib', 'test/conformance.rb'],
  cwd: __dirname,
}));

whereRuby('the sources of the Ruby client', () => {
  it.each(['pennytext.gemspec', ...sources])('have no warnings in %s', (path) => {
    const { stdout, stderr } = spawnSync('ruby', ['-wc', path], { cwd: __dirname, encoding: 'utf8' });
    expect(stderr + stdout).toBe('Syntax OK\n');
  });
});

const answers: Readonly<Record<string, object>> = {
  '/api/sendsms': examples.accepted,
  '/api/sendbulk': examples.acceptedBulk,
  '/api/sendotp': examples.sentOtp,
  '/api/verifyotp': examples.verifiedOtp,
  '/api/balance': examples.balance,
  '/api/messages': examples.messagePage,
};
const refusal = { success: 'false', code: 'invalid_number', detail: 'This is not a valid phone number.' };

const readme = readFileSync(join(__dirname, 'README.md'), 'utf8');
const programs = Array.from(readme.matchAll(/^## (.+)\n[^]*?```ruby\n([^]*?)```/gm), ([, title = '', text = '']) => ({
  title,
  text,
}));
const printed: Readonly<Record<string, string>> = {
  'Send a message': `${examples.accepted.message_id}\n${examples.accepted.credits}\ndelivered\n`,
  'Send a bulk': '2\n',
  'Verify a code': 'verified\n',
  Lists: '+12025550142\n1\n',
  'Errors and retries': `true\n${refusal.detail}\n400\nreq-1\n\n`,
};

const sharing = `
require "pennytext"
client = Pennytext::Client.new
p client.send_message(to: "+12025550142", message: "Hello")
Array.new(8) { Thread.new { 5.times { client.balance } } }.each(&:join)
`;

const forking = `
require "pennytext"
client = Pennytext::Client.new
client.balance
Process.wait(fork { client.balance })
puts $?.success?, client.balance.balance
`;

const reading = `
require "pennytext"
sent = Pennytext::Client.new.send_message(to: "+12025550142", message: "Hello")
case sent
in { message_id: String => id, credits: Integer, send_at: nil, media: [] } then puts id == sent["message_id"]
end
puts sent.frozen?, sent.to_h.frozen?, sent == sent.class.new(sent.to_h.dup), sent.respond_to?(:success)

now = Time.utc(2026, 3, 5, 17, 20, 40)
secret = "whsec_#{["secret"].pack("m0")}"
signature = [OpenSSL::HMAC.digest("SHA256", "secret", "msg_1.#{now.to_i}.{}")].pack("m0")
rack = { "HTTP_WEBHOOK_ID" => "msg_1", "HTTP_WEBHOOK_TIMESTAMP" => now.to_i.to_s, "rack.errors" => nil }
rack["HTTP_WEBHOOK_SIGNATURE"] = "v1,#{signature}"
puts Pennytext::Webhooks.verify("{}", rack, secret, now: now).id
`;

whereRuby('the gem', () => {
  let folder: string;
  let environment: NodeJS.ProcessEnv;
  let server: Server;
  let name: string;
  const requests: string[] = [];
  let connections = 0;

  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { cwd: folder, encoding: 'utf8', env: environment });
  const start = (program: string) => spawn('ruby', ['-w', '-e', program], { cwd: folder, env: environment });
  const outputOf = async (started: ChildProcessWithoutNullStreams) => {
    const output = { stdout: '', stderr: '' };
    started.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
    started.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
    await once(started, 'close');
    return output;
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      requests.push(`${request.method} ${request.url} ${request.headers['user-agent']}`);
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const isRefused = body.includes('"+1202"');
        const [path = ''] = (request.url ?? '').split('?');
        const answer = answers[path] ?? examples.delivered;
        response.writeHead(isRefused ? 400 : 200, { 'x-request-id': 'req-1' });
        response.end(JSON.stringify(isRefused ? refusal : answer));
      });
    });
    server.on('connection', () => connections++);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    folder = mkdtempSync(join(tmpdir(), 'pennytext-gem-'));
    environment = {
      PATH: process.env['PATH'],
      HOME: folder,
      GEM_HOME: folder,
      PENNYTEXT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      PENNYTEXT_API_KEY: 'key-of-the-gem',
    };
    name = run(process.execPath, join(__dirname, '../../tools/clients/pack-ruby.mjs'), folder).stdout.trim();
    run('gem', 'install', '--local', '--no-document', '--install-dir', folder, name);
  });

  afterAll(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  });

  it('is installed without network, and is shared by threads', async () => {
    const output = await outputOf(start(sharing));
    const fields = Object.entries(examples.accepted).filter(([field]) => field !== 'success');
    const shown = fields.map(([field, value]) => `${field}=${JSON.stringify(value)}`).join(', ');
    expect(output).toEqual({ stdout: `#<Pennytext::AcceptedMessage ${shown}>\n`, stderr: '' });
    expect(requests).toHaveLength(41);
    expect(requests[0]).toMatch(/^POST \/api\/sendsms pennytext-ruby\/0\.1\.0 \(ruby\/\d+\.\d+\.\d+\)$/);
    expect(connections).toBeLessThan(41);
  });

  it('opens a connection of its own in a process that was forked', async () => {
    const before = connections;
    expect(await outputOf(start(forking))).toEqual({ stdout: 'true\n212\n', stderr: '' });
    expect(connections - before).toBeGreaterThanOrEqual(2);
  });

  it('has frozen answers with patterns, and takes the headers of Rack', async () => {
    expect(await outputOf(start(reading))).toEqual({ stdout: 'true\ntrue\ntrue\ntrue\nfalse\nmsg_1\n', stderr: '' });
  });

  it.each(programs.filter(({ title }) => title in printed))('runs the program of "$title"', async ({ title, text }) => {
    expect(await outputOf(start(text))).toEqual({ stdout: printed[title], stderr: '' });
  });

  it('runs the server of "Check a webhook", which refuses a wrong signature', async () => {
    const key = Buffer.from('secret-of-the-readme');
    environment = { ...environment, PORT: '0', PENNYTEXT_WEBHOOK_SECRET: `whsec_${key.toString('base64')}` };
    const started = start(programs.find(({ title }) => title === 'Check a webhook')?.text ?? '');
    const output = outputOf(started);
    const port = await portOf(started);
    const body = JSON.stringify(examples.received);
    const timestamp = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64');
    const post = async (signed: string) => {
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': `${timestamp}`, 'webhook-signature': signed };
      return (await fetch(`http://127.0.0.1:${port}/hook`, { method: 'POST', headers, body })).status;
    };
    expect(await post(`v1,${signature}`)).toBe(200);
    expect(await post('v1,AAAA')).toBe(400);
    started.kill('SIGTERM');
    expect((await output).stdout).toBe(`${examples.received.Sender}: ${examples.received.Message}\n`);
  });

  it('has the same specification as a gem that RubyGems builds', () => {
    const built = join(folder, 'built.gem');
    spawnSync('gem', ['build', '--output', built, 'pennytext.gemspec'], { cwd: __dirname, env: environment });
    const specified = (file: string) =>
      run('gem', 'specification', file)
        .stdout.replace(/^date: .*\n/m, '')
        // The license lies at the root of the project, and the packer adds it.
        .replace('- LICENSE\n', '');
    expect(specified(name)).toContain('- lib/pennytext/transport.rb\n');
    expect(specified(name)).toBe(specified(built));
  });

  it('has the version of the API, and its README names it', () => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../typescript/package.json'), 'utf8')) as {
      readonly version: string;
    };
    expect(name).toBe(`pennytext-${version}.gem`);
    expect(new Set(readme.match(/pennytext-[\d.]+\d/g))).toEqual(new Set([`pennytext-${version}`]));
  });
});

/** The port that WEBrick chose, which it writes to its log. */
async function portOf(started: ChildProcessWithoutNullStreams): Promise<string> {
  for (let log = ''; ;) {
    const [chunk] = (await once(started.stderr, 'data')) as [Buffer];
    log += chunk.toString();
    const port = /port=(\d+)/.exec(log)?.[1];
    if (port !== undefined) return port;
  }
}
