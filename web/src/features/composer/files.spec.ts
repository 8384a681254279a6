import { limits } from '#contract/limits.js';
import { areUnready, type ComposedFile, faultOfFile, storedFilesOf } from './files.js';

const file = { name: 'a.jpg', bytes: 2_000_000 };
const uploading: ComposedFile = { ...file, id: 1, state: 'uploading' };
const stored: ComposedFile = { ...file, id: 2, state: 'stored', mediaId: 'ME2', sha256: 'a', type: 'image/jpeg' };
const refused: ComposedFile = { ...file, id: 3, state: 'refused', fault: 'No' };

describe('The files of a message that is being written', () => {
  it('are sent by the ids of those that are stored', () => {
    expect(storedFilesOf([stored, uploading, { ...stored, mediaId: 'ME4' }, refused])).toEqual([
      { mediaId: 'ME2', sha256: 'a' },
      { mediaId: 'ME4', sha256: 'a' },
    ]);
  });

  it('are awaited while one is uploaded, or was refused', () => {
    expect([areUnready([]), areUnready([stored])]).toEqual([false, false]);
    expect([areUnready([stored, uploading]), areUnready([refused])]).toEqual([true, true]);
  });

  it('have so many bytes together, those that were refused not among them', () => {
    const max = limits.messageMediaBytesMax;
    expect(faultOfFile(max, [])).toBeUndefined();
    expect(faultOfFile(max + 1, [])).toBe('The files of a message have 5 MB together at most.');
    expect(faultOfFile(max - 2_000_000, [stored, refused])).toBeUndefined();
    expect(faultOfFile(max - 2_000_000 + 1, [uploading])).toBe('The files of a message have 5 MB together at most.');
    expect(faultOfFile(0, [])).toBe('The file is empty.');
  });
});
