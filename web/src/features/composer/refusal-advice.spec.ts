import { adviceFor, consequenceOf } from './refusal-advice.js';

describe('a refused message', () => {
  it('tells that nothing was sent, and once that it cost nothing', () => {
    expect(consequenceOf(undefined)).toBe('Nothing was sent, and you were not charged.');
    expect(consequenceOf('The recipient has opted out by replying STOP.')).toBe(
      'Nothing was sent, and you were not charged.',
    );
    expect(consequenceOf('The balance is 0. You were not charged.')).toBe('Nothing was sent.');
  });

  it.each([
    ['no_credits', '/dashboard/purchase'],
    ['insufficient_credits', '/dashboard/purchase'],
    ['number_not_verified', '/dashboard/purchase'],
    ['delivery_suspended', '/dashboard'],
    ['country_disabled', '/dashboard/account'],
  ])('leads after %s to where it can be put right', (code, path) => {
    expect(adviceFor({ code })?.link?.to).toBe(path);
  });

  it.each(['daily_limit', 'url_not_activated'])('leads after %s to support', (code) => {
    expect(adviceFor({ code })?.link?.to).toMatch(/^mailto:./);
  });

  it('adds nothing to a refusal whose own words tell what to do', () => {
    expect(adviceFor({ code: 'invalid_number' })).toBeUndefined();
    expect(adviceFor({ code: undefined })).toBeUndefined();
  });
});
