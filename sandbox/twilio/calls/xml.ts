import { SaxesParser } from 'saxes';

/** An element of an XML document with its elements and texts in order. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (XmlElement | string)[];
}

/** A document that was read, or the reason why it is malformed. */
export type XmlDocument =
  | { readonly kind: 'read'; readonly root: XmlElement }
  | { readonly kind: 'malformed'; readonly reason: string };

class Malformed extends Error {}

/**
 * Parses XML without namespaces and document types, whose absence keeps entities from being
 * defined. Throws nothing: a malformed document is a result.
 */
export function readXml(text: string): XmlDocument {
  try {
    return { kind: 'read', root: rootOf(text) };
  } catch (error) {
    if (error instanceof Malformed) return { kind: 'malformed', reason: error.message };
    throw error;
  }
}

function rootOf(text: string): XmlElement {
  const document: XmlElement = { name: '', attributes: {}, children: [] };
  const open = [document];
  const add = (child: XmlElement | string): void => void open.at(-1)?.children.push(child);
  const parser = new SaxesParser();
  parser.on('error', ({ message }) => {
    throw new Malformed(message);
  });
  parser.on('doctype', () => {
    throw new Malformed('a document type');
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, children: [] };
    add(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', add);
  parser.on('cdata', add);
  parser.write(text).close();
  const root = document.children.find((child) => typeof child !== 'string');
  if (root === undefined) throw new Malformed('no element');
  return root;
}
