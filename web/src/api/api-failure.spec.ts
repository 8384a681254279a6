import { ApiFailure, placedBy } from './api-failure.js';

describe('placedBy', () => {
  const refused = (code: string) => new ApiFailure('refused', 'No.', { code });

  it('places a failure beside the field of its code', () => {
    expect(placedBy({ password_wrong: 'current' })(refused('password_wrong'))).toEqual({ current: 'No.' });
  });

  it('places any other failure beside the rest, or beside no field', () => {
    expect(placedBy({ password_wrong: 'current' })(refused('internal'))).toEqual({});
    expect(placedBy({ password_wrong: 'current' }, 'form')(refused('internal'))).toEqual({ form: 'No.' });
    expect(placedBy({}, 'form')(new TypeError('Failed to fetch'))).toEqual({
      form: 'Pennytext could not be reached. Check your connection and try again.',
    });
  });
});
