import { partsOf } from './parts.js';

describe('partsOf', () => {
  it('takes everything when nothing is named', () => {
    expect([...partsOf([])]).toEqual(['static', 'unit', 'integration', 'e2e']);
  });

  it('takes the parts that are named', () => {
    expect([...partsOf(['--only=unit,e2e'])]).toEqual(['unit', 'e2e']);
  });

  it.each([['--only=speed'], ['--fast']])('refuses %s, naming what there is', (arg) => {
    expect(() => partsOf([arg])).toThrow('--only=static|unit|integration|e2e');
  });
});
