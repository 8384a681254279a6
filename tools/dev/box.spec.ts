import { sendCurl, startedText, type BoxContent } from './box.js';

const content: BoxContent = {
  publicUrl: 'http://localhost:3000',
  sandboxUrl: 'http://localhost:4000',
  workerUrl: 'http://localhost:3001',
  apiKey: '3f0c9a52-1111-4222-8333-444455556666',
  demoEmail: 'demo@pennytext.example',
  usesSandbox: true,
  queue: 'redis',
  tookMs: 4_210,
};

describe('startedText', () => {
  it('frames all rows at one width', () => {
    const framed = startedText(content)
      .split('\n')
      .filter((line) => /^[┌├└│]/.test(line));
    expect(new Set(framed.map((line) => line.length)).size).toBe(1);
  });

  it('shows the curl outside the frame, so that it can be copied', () => {
    expect(startedText(content)).toContain(`\n${sendCurl(content)}\n`);
  });

  it('shows no phone and warns of costs when Twilio is real', () => {
    const text = startedText({ ...content, usesSandbox: false });
    expect(text).not.toContain('/phone');
    expect(text).toContain('costs money');
  });

  it('shows that the queue is in Postgres and how to use Redis', () => {
    expect(startedText({ ...content, queue: 'postgres' })).toContain('install redis-server');
  });
});

describe('sendCurl', () => {
  it('quotes every value and encodes nothing, so that any shell takes it', () => {
    expect(sendCurl(content)).toBe(
      `curl http://localhost:3000/api/sendsms \\
  -d to='2025550142' \\
  -d message='Hello from Pennytext' \\
  -d apikey='3f0c9a52-1111-4222-8333-444455556666'`,
    );
  });
});
