import { html } from './html.js';

describe('html', () => {
  it('escapes texts, also in attributes', () => {
    const name = `<b title="x">O'Neil & Co</b>`;
    expect(html`<p title="${name}">${name}</p>`.text).toBe(
      '<p title="&lt;b title=&quot;x&quot;&gt;O&#39;Neil &amp; Co&lt;/b&gt;">' +
        '&lt;b title=&quot;x&quot;&gt;O&#39;Neil &amp; Co&lt;/b&gt;</p>',
    );
  });

  it('keeps Html and lists of it, and omits null and false', () => {
    const words = ['a', 'b'].map((word) => html`<i>${word}</i>`);
    expect(html`<p>${words}${null}${false}${html`<b>${3}</b>`}</p>`.text).toBe('<p><i>a</i><i>b</i><b>3</b></p>');
  });
});
