import { formTree } from './params.js';

describe('formTree', () => {
  it.each([
    ['a=1', { a: '1' }],
    ['a[b][c]=1&a[b][d]=2', { a: { b: { c: '1', d: '2' } } }],
    ['l[0][p]=x&l[0][q]=2&l[1][p]=y', { l: [{ p: 'x', q: '2' }, { p: 'y' }] }],
    ['expand[]=a.b&expand[]=c', { expand: ['a.b', 'c'] }],
    ['expand[0]=a&expand[1]=b', { expand: ['a', 'b'] }],
    ['a=1&a=2', { a: '2' }],
    ['metadata[order id]=%C3%BC%26', { metadata: { 'order id': 'ü&' } }],
  ])('parses %s', (form, tree) => {
    expect(formTree(new URLSearchParams(form))).toEqual(tree);
  });

  it('treats __proto__ as an ordinary name', () => {
    const tree = formTree(new URLSearchParams('__proto__[polluted]=1&constructor[x]=1'));
    expect(Object.keys(tree)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
