import { errorCatalogue } from '#contract/errors.js';
import { fieldOf, mediaFieldsOf } from './send-message.js';

const typed = { to: '1', message: 'Hello' };

describe('mediaFieldsOf', () => {
  it('adds nothing to a text', () => expect(mediaFieldsOf([], true)).toEqual({}));
  it('names the files, and asks for links only where they are wanted', () => {
    expect(mediaFieldsOf(['ME1'], false)).toEqual({ media: [{ media_id: 'ME1' }] });
    expect(mediaFieldsOf(['ME1'], true)).toEqual({ media: [{ media_id: 'ME1' }], media_fallback: 'link' });
  });
});

describe('fieldOf', () => {
  it.each([
    ['invalid_number', typed, 'to'],
    ['number_type_unsupported', typed, 'to'],
    ['country_disabled', typed, 'to'],
    ['recipient_opted_out', typed, 'to'],
    ['message_too_long', typed, 'message'],
    ['media_unsupported', typed, 'files'],
    ['media_too_large', typed, 'files'],
    ['missing_fields', { to: '', message: '' }, 'to'],
    ['missing_fields', { to: '1', message: '' }, 'message'],
    ['missing_fields', typed, undefined],
    ['no_credits', typed, undefined],
    ['rate_limited', typed, undefined],
    [undefined, typed, undefined],
  ])('leads %s to its field', (code, fields, field) => {
    expect(fieldOf({ code }, fields)).toBe(field);
  });

  it('contains only codes of the catalogue', () => {
    for (const code of [
      'invalid_number',
      'number_type_unsupported',
      'region_unsupported',
      'region_inactive',
      'country_disabled',
      'recipient_opted_out',
    ])
      expect(errorCatalogue).toHaveProperty(code);
    for (const code of ['media_unsupported', 'media_too_large', 'media_type', 'media_unknown', 'media_expired'])
      expect(errorCatalogue).toHaveProperty(code);
    for (const code of ['message_too_long', 'url_shortener', 'url_not_activated', 'idempotency_in_progress'])
      expect(errorCatalogue).toHaveProperty(code);
  });
});
