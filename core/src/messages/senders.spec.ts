import { Config } from '../config/config.js';
import { parseEnv } from '../config/env.js';
import { testVariables } from '../testing/test-config.js';
import { Senders } from './senders.js';

const urls = { DATABASE_URL: 'postgres://localhost/none', REDIS_URL: 'redis://localhost' };

function sendersOf(list: string): Senders {
  return new Senders(new Config(parseEnv({ ...testVariables, ...urls, TWILIO_SENDERS: list })));
}

const recipients = Array.from({ length: 100 }, (_, n) => `+120255501${String(n).padStart(2, '0')}`);

describe('Senders', () => {
  it('are one and the same for everybody when there is one', () => {
    const senders = sendersOf('+15005550006');
    expect(new Set(recipients.map((recipient) => senders.for(recipient)))).toEqual(new Set(['+15005550006']));
  });

  it('share the recipients, and each recipient keeps his own', () => {
    const list = ['+15005550006', '+15005550007', '+15005550008'];
    const [senders, again] = [sendersOf(list.join(',')), sendersOf(list.join(','))];
    const chosen = recipients.map((recipient) => senders.for(recipient));
    expect(new Set(chosen)).toEqual(new Set(list));
    expect(recipients.map((recipient) => again.for(recipient))).toEqual(chosen);
  });
});
