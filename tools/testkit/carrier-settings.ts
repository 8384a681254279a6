/** Settings of the sandbox's Telnyx, at its HTTP port. */
export function telnyxSettings(sandboxPort: number): Record<string, string> {
  return {
    TELNYX_API_KEY: 'KEY_sandbox',
    TELNYX_PUBLIC_KEY: 'xcoq0gutByTpfJ9DoIAR4//RmsxxklziM0uJ6yIlPYw=',
    TELNYX_SENDERS: '+15005550100',
    TELNYX_MESSAGING_PROFILE_ID: '83d2343b-553f-4c5b-b8c8-fd27004f94bf',
    TELNYX_API_URL: `http://127.0.0.1:${sandboxPort}`,
  };
}

/** Settings of a bind to the sandbox's SMSC, at its SMPP port. */
export function smppSettings(smscPort: number): Record<string, string> {
  const url = `smpp://127.0.0.1:${smscPort}`;
  const bind = { name: 'smsc', url, system_id: 'sandbox', password: 'sandbox', senders: ['+15005550200'] };
  return { SMPP_BINDS: JSON.stringify([bind]) };
}
