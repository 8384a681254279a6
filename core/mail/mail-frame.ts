/** A paragraph, a table of facts, or the one thing to do. Texts are plain; the frame escapes them. */
export type MailBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [string, string])[] }
  | { readonly kind: 'button'; readonly label: string; readonly url: string };

export interface MailPage {
  readonly heading: string;
  readonly blocks: readonly MailBlock[];
  /** Why the reader gets this. */
  readonly reason: string;
}

/** The plain part: everything the HTML part says, in the same order. */
export function plainMail({ heading, blocks, reason }: MailPage): string {
  return `${[heading, ...blocks.map(plainBlock), '--\nPennytext', reason].join('\n\n')}\n`;
}

function plainBlock(block: MailBlock): string {
  if (block.kind === 'text') return block.text;
  if (block.kind === 'button') return `${block.label}: ${block.url}`;
  return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
}

const font = `font-family:'Bricolage Grotesque',Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;

/** The HTML part. Tables and inline styles, as programs for e-mail know nothing newer. */
export function htmlMail({ heading, blocks, reason }: MailPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light">
<title>${escaped(heading)}</title>
</head>
<body style="margin:0;background:#FAF7F2;color:#1C1917">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#FAF7F2;${font}">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td style="padding:0 8px 16px;font-size:18px;font-weight:700;color:#A8481C">&#9679; Pennytext</td></tr>
<tr><td style="background:#FFFFFF;border:1px solid #E7E1D8;border-top:4px solid #A8481C;border-radius:10px;padding:32px">
<h1 style="margin:0 0 16px;font-size:25px;line-height:1.25;color:#1C1917">${escaped(heading)}</h1>
${blocks.map(htmlBlock).join('\n')}
</td></tr>
<tr><td style="padding:16px 8px;font-size:13px;line-height:1.5;color:#6B625A">${escaped(reason)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function htmlBlock(block: MailBlock): string {
  if (block.kind === 'text')
    return `<p style="margin:0 0 16px;font-size:16px;line-height:1.6;color:#1C1917">${escaped(block.text)}</p>`;
  if (block.kind === 'button')
    return `<p style="margin:24px 0 8px"><a href="${escaped(block.url)}" style="display:inline-block;background:#A8481C;color:#FFFFFF;font-size:16px;font-weight:600;text-decoration:none;padding:12px 24px;border-radius:8px">${escaped(block.label)}</a></p>`;
  const rows = block.facts.map(
    ([name, value]) =>
      `<tr><td style="padding:10px 0;border-bottom:1px solid #E7E1D8;color:#6B625A">${escaped(name)}</td><td align="right" style="padding:10px 0;border-bottom:1px solid #E7E1D8;font-weight:600;color:#1C1917">${escaped(value)}</td></tr>`,
  );
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;font-size:16px">${rows.join('')}</table>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
