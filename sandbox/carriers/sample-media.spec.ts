import { SAMPLE_NAMES, sampleOf } from './sample-media.js';

const GPS_TAG = Buffer.from([0x25, 0x88]);

const bytesOf = (name: string) => {
  const sample = sampleOf(name);
  if (sample === undefined) throw new Error(`There is no sample ${name}`);
  return sample.bytes;
};

describe('the samples of files', () => {
  it('are none under an unknown name', () => {
    expect(sampleOf('toString')).toBeUndefined();
    expect(SAMPLE_NAMES).toHaveLength(8);
  });

  it.each([
    ['photo', 'ffd8ff', 'image/jpeg'],
    ['animated-gif', '474946383961', 'image/gif'],
    ['png', '89504e470d0a1a0a', 'image/png'],
    ['polyglot', '89504e470d0a1a0a', 'image/png'],
    ['bomb', '89504e470d0a1a0a', 'image/png'],
    ['svg-as-png', Buffer.from('<svg').toString('hex'), 'image/png'],
    ['html-as-png', Buffer.from('<!doctype html').toString('hex'), 'image/png'],
    ['zeros', '00000000', 'image/jpeg'],
  ])('have in %s what its name promises', (name, start, type) => {
    expect(bytesOf(name).toString('hex').startsWith(start)).toBe(true);
    expect(sampleOf(name)?.type).toBe(type);
  });

  it('have a place in the photo, a script in three files, and a bomb that is small on the way', () => {
    expect(bytesOf('photo').includes(GPS_TAG)).toBe(true);
    for (const name of ['svg-as-png', 'html-as-png', 'polyglot'])
      expect(bytesOf(name).toString('latin1')).toContain('<script>');
    const bomb = bytesOf('bomb');
    expect([bomb.readUInt32BE(16), bomb.readUInt32BE(20)]).toEqual([20_000, 20_000]);
    expect(bomb.length).toBeLessThan(100_000);
    expect(bytesOf('zeros')).toHaveLength(10 * 1024 * 1024);
  });
});
