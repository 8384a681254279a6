import { parsedUrl } from './network-addresses.js';

describe('parsedUrl', () => {
  it('returns the same result on every call', () => {
    for (let count = 0; count < 100_000; count += 1) {
      if (parsedUrl('https://bücher.example/ü')?.hostname !== 'xn--bcher-kva.example')
        throw new Error(`not at ${count}`);
    }
    expect(parsedUrl('https://')).toBeUndefined();
  });
});
