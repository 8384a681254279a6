const TWIML_TYPES = ['text/xml', 'application/xml', 'text/html'];
const MESSAGES_MAX = 10;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** What an answer to an incoming message tells Twilio to do: texts to send back, or why Twilio would log an error. */
export type Instructions = { readonly texts: readonly string[] } | { readonly problem: string };

/** Reads an answer as far as messaging needs it: `<Response>` with `<Message>`s, or plain text, which is a message too. */
export function instructionsIn(contentType: string, body: string): Instructions {
  const type = contentType.replace(/;.*$/s, '').trim().toLowerCase();
  if (body.trim() === '') return { texts: [] };
  if (type === 'text/plain') return { texts: [body.trim()] };
  if (!TWIML_TYPES.includes(type)) return { problem: `12300: Invalid Content-Type: ${type || 'none'}` };
  const document = body
    .replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .trim();
  if (!/^<Response\s*(\/>|>[\s\S]*<\/Response\s*>)$/.test(document))
    return { problem: '12100: Document parse failure' };
  const messages = [...document.matchAll(/<Message(?:\s[^>]*?)?(?:\/>|>([\s\S]*?)<\/Message\s*>)/g)];
  const texts = messages.slice(0, MESSAGES_MAX).map(([, content = '']) => textOf(content));
  return { texts: texts.filter((text) => text !== '') };
}

function textOf(content: string): string {
  const [, body = content] = /<Body\s*>([\s\S]*?)<\/Body\s*>/.exec(content) ?? [];
  return body
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>|<[^>]*>/g, (_tag, literal?: string) => literal?.replaceAll('&', '&amp;') ?? '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
      const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
      if (name !== undefined) return entities[name] ?? whole;
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .trim();
}
