import {
  channelOf,
  channelText,
  emailAddressOf,
  isCostlyToCall,
  mailboxOf,
  stepWaitSecondsOf,
  storedRecipient,
} from './otp-channels.js';

const text = { code: '048213', org: 'Acme', domain: 'example.com' };

describe('A stored recipient', () => {
  it.each([
    ['sms', '+14155552671', '+14155552671'],
    ['whatsapp', '+14155552671', 'whatsapp:+14155552671'],
    ['voice', '+14155552671', 'voice:+14155552671'],
    ['email', 'ann@example.com', 'ann@example.com'],
  ] as const)('by %s to %s is %s, and names its channel', (channel, to, stored) => {
    expect(storedRecipient({ channel, to })).toBe(stored);
    expect(channelOf(stored)).toBe(channel);
  });
});

describe('stepWaitSecondsOf', () => {
  it.each([
    [undefined, 60],
    [null, 60],
    ['', 60],
    [15, 15],
    ['300', 300],
    [14, undefined],
    [301, undefined],
    [20.5, undefined],
    ['1e2', undefined],
    ['20 ', undefined],
    ['soon', undefined],
    [-60, undefined],
  ])('of %j is %j', (given, seconds) => {
    expect(stepWaitSecondsOf(given)).toBe(seconds);
  });
});

describe('emailAddressOf', () => {
  it.each([
    [' Ann@Example.COM ', 'Ann@example.com'],
    ['ann@example', undefined],
    ['ann@127.0.0.1', undefined],
    ['.ann@example.com', undefined],
    ['a..b@example.com', undefined],
    ['ann.@example.com', undefined],
    [`${'a'.repeat(65)}@example.com`, undefined],
    ['whatsapp:x@example.com', undefined],
    ['a,b@example.com', undefined],
    ["o'neil+codes@mail.example.co.uk", "o'neil+codes@mail.example.co.uk"],
    ['ann@-example.com', undefined],
    ['ann@exa_mple.com', undefined],
    ['"ann b"@example.com', undefined],
    ['ann@example.com, bob@example.com', undefined],
    ['Ann <ann@example.com>', undefined],
    ['ann\n@example.com', undefined],
    ['ann@example.com\r\nBcc: bob@example.com', undefined],
    ['+14155552671', undefined],
    [`${'a'.repeat(250)}@example.com`, undefined],
  ])('of %j is %j', (given, address) => {
    expect(emailAddressOf(given)).toBe(address);
  });
});

describe('mailboxOf', () => {
  it.each([
    ['Ann+shop@Example.com', 'ann@example.com'],
    ['ann@example.com', 'ann@example.com'],
    ['a+b+c@example.com', 'a@example.com'],
  ])('of %s is %s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox);
  });
});

describe('isCostlyToCall', () => {
  it.each([
    ['+12025551212', true],
    ['+12129761234', true],
    ['+16005551234', true],
    ['+61147112345', true],
    ['+12025550142', false],
    ['+14155552671', false],
    ['+19765551234', false],
  ])('of %s is %s', (number, isCostly) => {
    expect(isCostlyToCall(number)).toBe(isCostly);
  });
});

describe('channelText', () => {
  it('is the code alone for WhatsApp, whose template has the words', () => {
    expect(channelText('whatsapp', text)).toBe('048213');
  });

  it('has each digit by itself, twice', () => {
    const spoken = channelText('voice', text);
    expect(spoken).toContain('Acme');
    expect(spoken.match(/0, 4, 8, 2, 1, 3\./g)).toHaveLength(2);
    expect(spoken).not.toContain('048213');
    expect(channelText('voice', text, 'de-DE')).toContain('Ihr Bestätigungscode lautet: 0, 4, 8, 2, 1, 3.');
  });

  it('has the line for phones in a text message alone', () => {
    expect(channelText('sms', text)).toContain('@example.com #048213');
    expect(channelText('email', text)).toBe('Message from Acme. Your one-time verification code is 048213.');
  });
});
