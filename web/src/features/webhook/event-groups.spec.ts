import { webhookEventTypes } from '#contract/webhooks.js';
import { eventGroups } from './event-groups.js';

describe('groups of events', () => {
  it('have each event of the contract once, so that none can be forgotten', () => {
    const grouped = eventGroups.flatMap(({ types }) => types);
    expect(grouped.toSorted()).toEqual(webhookEventTypes.toSorted());
    expect(eventGroups.map(({ title, types }) => [title, types.length > 0])).toEqual([
      ['Messages', true],
      ['Codes', true],
      ['Credits', true],
      ['Numbers', true],
    ]);
  });
});
