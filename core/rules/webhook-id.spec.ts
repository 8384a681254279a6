import { newMessageId, publicMessageId } from './message-id.js';
import { publicWebhookId, webhookIdFromPublic } from './webhook-id.js';

describe('the id of a webhook', () => {
  it('is msg_ and the 32 hex digits of its UUID, and leads back to it', () => {
    const id = newMessageId();
    expect(publicWebhookId(id)).toMatch(/^msg_[0-9a-f]{32}$/);
    expect(webhookIdFromPublic(publicWebhookId(id))).toBe(id);
  });

  it.each([
    '',
    'msg_',
    `msg_${'0'.repeat(32)}`,
    publicMessageId(newMessageId()),
    `${publicWebhookId(newMessageId())}0`,
  ])('is not %j', (text) => {
    expect(webhookIdFromPublic(text)).toBeUndefined();
  });
});
