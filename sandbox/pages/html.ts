const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Safe HTML. Only `html` creates it. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[] | null | false;

/** Template tag: escapes texts and numbers, keeps Html as it is, omits `null` and `false`. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = pieces[0] ?? '';
  parts.forEach((part, index) => (text += textOf(part) + (pieces[index + 1] ?? '')));
  return new Html(text);
}

function textOf(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') {
    return String(part).replace(/[&<>"']/g, (character) => escapes[character] ?? '');
  }
  return part.map(({ text }) => text).join('');
}

/** A table that becomes a list of cards on a phone, where each cell shows its column's name. */
export function table(columns: readonly string[], rows: readonly (readonly (string | Html)[])[]): Html {
  const cell = (content: string | Html, index: number) =>
    html`<td data-label="${columns[index] ?? ''}">${content}</td>`;
  return html`
    <table class="rows">
      <thead>
        <tr>
          ${columns.map((column) => html`<th>${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map(cell)}
            </tr>`,
        )}
      </tbody>
    </table>
  `;
}
