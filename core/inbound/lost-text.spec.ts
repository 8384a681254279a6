import { hasLostText } from './lost-text.js';

const now = new Date('2026-11-27T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const blank = { body: '', sender: '+14155552671', status: 'received', createdAt: daysAgo(29) } as const;

describe('hasLostText', () => {
  it.each([
    ['a text', { body: 'Hi', createdAt: daysAgo(31) }, false],
    ['no text, and is new', {}, false],
    ['no text, and is past the retention time', { createdAt: daysAgo(30) }, true],
    ['no text, and is held past the retention time', { createdAt: daysAgo(31), status: 'held' as const }, false],
    ['a masked number', { sender: '+1415•••••••' }, true],
    ['no number', { sender: '' }, true],
  ])('of a reply that has %s', (_what, reply, isLost) => {
    expect(hasLostText({ ...blank, ...reply }, 30, now)).toBe(isLost);
  });

  it('knows that texts without a retention time stay', () => {
    expect(hasLostText({ ...blank, createdAt: daysAgo(4_000) }, undefined, now)).toBe(false);
  });
});
