import { linkAdvice } from '#contract/message-media.js';
import { inDashboardWords } from './link-advice.js';

describe('inDashboardWords', () => {
  it('names the checkbox, not the field of the API', () => {
    expect(inDashboardWords(`No sender for Germany takes files. ${linkAdvice} You were not charged.`)).toBe(
      'No sender for Germany takes files. Choose “Send links to the files where pictures cannot be sent” to send ' +
        'links in their place. You were not charged.',
    );
  });

  it('leaves other reasons as they are', () => {
    expect(inDashboardWords('The balance is 0. You were not charged.')).toBe('The balance is 0. You were not charged.');
  });
});
