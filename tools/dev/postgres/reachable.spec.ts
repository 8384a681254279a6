import { mayEnter } from './reachable.js';

const postgres = { uid: 101, gid: 104 };

describe('mayEnter', () => {
  it.each([
    [0o700, 0, 0, false],
    [0o755, 0, 0, true],
    [0o711, 0, 0, true],
    [0o700, 101, 0, true],
    [0o077, 101, 104, false],
    [0o750, 0, 104, true],
    [0o705, 0, 104, false],
  ])('judges mode %o of %i:%i', (mode, uid, gid, expected) => {
    expect(mayEnter({ mode, uid, gid }, postgres)).toBe(expected);
  });
});
