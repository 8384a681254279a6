import { parsedUrl } from './parsed-url.js';

describe('parsedUrl', () => {
  it('answers the same however often it is asked', () => {
    for (let count = 0; count < 100_000; count += 1) {
      if (parsedUrl('https://bücher.example/ü')?.hostname !== 'xn--bcher-kva.example')
        throw new Error(`not at ${count}`);
    }
    expect(parsedUrl('https://')).toBeUndefined();
  });
});
