// Numbers reserved for fiction: https://www.nanpa.com/numbering/555-line-numbers
const recipients = Array.from({ length: 100 }, (_, index) => `+1202555${String(100 + index).padStart(4, '0')}`);

/** What the accounts send, as bodies of POST /api/sendsms: each account writes to every recipient in turn, one segment each. */
export function bodiesOf(apiKeys: readonly string[]): string[] {
  const count = Math.max(apiKeys.length, recipients.length);
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      to: recipients[index % recipients.length],
      message: 'Your parcel 40817 arrives today between 2 and 4 pm. Reply STOP to opt out.',
      apikey: apiKeys[index % apiKeys.length],
    }),
  );
}
