import { type Answer, Poster } from '../../outgoing.js';
import { until } from '../../testing/test-sandbox.js';
import { CallBook } from './call-book.js';
import { CallCallbacks } from './call-callbacks.js';

/** A product whose connections fail. */
class FailingPoster extends Poster {
  attempts: string[] = [];

  constructor(private readonly codes: string[]) {
    super();
  }

  override async post(url: string): Promise<Answer> {
    this.attempts.push(url);
    const code = this.codes.shift();
    if (code !== undefined) throw Object.assign(new Error('failed'), { code });
    return { status: 200, contentType: '', text: '' };
  }
}

const settings = {
  accountSid: 'AC5a9db0c55a9db0c55a9db0c55a9db0c5',
  authToken: 'token',
  productUrl: 'http://product:3000',
  publicProductUrl: 'https://pennytext.example',
};

/** Posts two events of a call and resolves with the addresses that were tried. */
async function attemptsFor(codes: string[]): Promise<string[]> {
  const poster = new FailingPoster(codes);
  const callbacks = new CallCallbacks(settings, poster);
  const call = new CallBook().add({
    from: '+15005550006',
    to: '+14155552671',
    twiml: '<Response/>',
    sentences: [],
    problem: null,
    statusCallback: 'https://pennytext.example/call',
    statusCallbackMethod: 'POST',
    statusCallbackEvents: ['initiated', 'completed'],
    timeoutSeconds: 60,
    machineDetection: null,
    fate: 'person',
    ringsForMs: null,
    callbackPlan: 'once',
    callbackDelayMs: 0,
  });
  callbacks.enqueue(call, 'initiated', 'initiated');
  callbacks.enqueue(call, 'completed', 'failed');
  await until('the last event is posted', () => codes.length === 0 && poster.attempts.length >= 2);
  await poster.close();
  return poster.attempts;
}

describe('CallCallbacks', () => {
  it('tries again once without a connection, at the address where the product is reached', async () => {
    expect(await attemptsFor(['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED'])).toEqual(
      Array.from({ length: 4 }, () => 'http://product:3000/call'),
    );
  });

  it('does not repeat a post that may have arrived', async () => {
    expect(await attemptsFor(['UND_ERR_HEADERS_TIMEOUT', 'ECONNRESET'])).toHaveLength(2);
  });
});
