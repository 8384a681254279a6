import { LinkifyIt, REBuilder } from 'linkify-it';
import { parse } from 'tldts';

export type UrlKind = 'none' | 'url' | 'shortened';

/**
 * Returns the kind of web address in a text: http(s) URLs, 'www.' names, bare host names under an IANA top-level domain, IPv4
 * addresses, and tel:, sms: and tg: links, all as phones turn them into links. 'shortened' means that one belongs to a public
 * URL shortener. An e-mail address is not a URL. Takes time in proportion to the length.
 */
export function urlsIn(text: string): UrlKind {
  if (!MAY_HOLD_URL.test(text)) return 'none';
  const normalized = normalize(text);
  let kind: UrlKind = 'none';
  for (const { schema, raw, index, lastIndex } of linkify.match(normalized) ?? []) {
    if (schema.startsWith('http')) {
      if (isShortener(parse(raw).hostname ?? '')) return 'shortened';
      kind = 'url';
    } else if (schema === '' || (schema === 'mailto:' && normalized[lastIndex] === '/')) {
      // 'user@example.com' is an e-mail address, 'user@example.com/page' is a page.
      const name = schema === '' ? raw : normalized.slice(index + raw.lastIndexOf('@') + 1, lastIndex + 1);
      const host = bareHost(name);
      if (host === undefined) continue;
      if (isShortener(host)) return 'shortened';
      kind = 'url';
    } else if (schema !== 'mailto:') {
      kind = 'url';
    }
  }
  return kind;
}

/** A dot or a colon, or a character that normalization turns into one. */
const MAY_HOLD_URL = /[.:\u2024-\u2026\u3002\ufe52\ufe55\uff0e\uff1a\uff61]/;
const DOTS = /[\u3002\uff61]/g;
/** UTS #46 ignores these in host names, and so do browsers. */
const IGNORED_IN_HOSTS = /[\u00ad\u200b\u2060\ufeff]/g;
const ESCAPED_HOST_CHARACTER = /%(?:2d|2e|3\d|[46][1-9a-f]|[57][0-9a])/gi;

/** Full-width letters, ideographic full stops and percent signs mean plain characters to a browser: 'bit。ly' is bit.ly. */
function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .replace(DOTS, '.')
    .replace(IGNORED_IN_HOSTS, '')
    .replace(ESCAPED_HOST_CHARACTER, decodeURIComponent);
}

const LATIN = 'a-z0-9\\u00c0-\\u024f\\u1e00-\\u1eff';
const LINK_LENGTH_MAX = 2_000;

/**
 * Accepts more than linkify-it does by default, because a text that phones link must not pass as plain: names that touch
 * another script, a dash, an underscore or a comma, ports without 'http://', and long user information.
 */
class PhoneLinks extends REBuilder {
  override get_domain(): RegExp {
    const other = `(?:(?![${LATIN}])${this.get_pseudo_letter().source})`;
    return (this.cache['domain'] ??= new RegExp(`(?:[${LATIN}](?:[${LATIN}-]{0,61}[${LATIN}])?|${other}{1,63})`));
  }

  override get_tld(): RegExp {
    const other = `(?:(?![${LATIN}])${this.get_pseudo_letter().source})`;
    return (this.cache['tld'] ??= new RegExp(`xn--[a-z0-9-]{1,59}|[a-z]{2,63}|${other}{1,63}`));
  }

  override get_host_terminator(): RegExp {
    return (this.cache['terminator'] ??= new RegExp(`(?![${LATIN}@])`));
  }

  override get_auth(): RegExp {
    return (this.cache['auth'] ??= /(?:[^\s/\\?#<>"`]{1,500}@)?/);
  }

  override get_fuzzy_url_host_port(): RegExp {
    const ip = `${this.get_ipv4_addr().source}(?!\\.?\\d)`;
    const name = `(?:${this.get_domain().source}\\.){1,10}(?:${this.get_tld().source})`;
    return (this.cache['host'] ??= new RegExp(`(?:${ip}|${name})${this.get_host_terminator().source}(?::\\d{1,5})?`));
  }

  override get_fuzzy_link_search(): RegExp {
    return (this.cache['link'] ??= new RegExp(
      `()(?<![${LATIN}@]|[${LATIN}][.-])${this.get_fuzzy_url_host_port().source}${this.get_path().source}`,
      'ig',
    ));
  }

  override get_path(): RegExp {
    return (this.cache['path'] ??= new RegExp(
      `(?:[/?#\\\\][^\\s,;<>"'()[\\]{}|\`\\u0080-\\uffff]{0,${LINK_LENGTH_MAX}})?`,
    ));
  }
}

const linkify = new LinkifyIt({
  fuzzyLink: true,
  fuzzyIP: true,
  urlAuth: true,
  maxLength: LINK_LENGTH_MAX,
  rebuilder: new PhoneLinks(),
})
  .add('ftp:', null)
  .add('//', null)
  .add('tel:', { validate: lengthOf(/\+?\d[\d().-]*/y) })
  .add('sms:', { validate: lengthOf(/\+?\d[\d().-]*/y) })
  .add('tg:', { validate: lengthOf(/(?:\/\/)?[a-z]+\?\S+|\/\/[a-z]\S*/iy) });

function lengthOf(pattern: RegExp): (text: string, position: number) => number {
  return (text, position) => {
    pattern.lastIndex = position;
    return pattern.exec(text)?.[0].length ?? 0;
  };
}

const HOST_END = /[:/?#\\]/;
const TITLE_CASE = /^[A-Z][a-z]/;
const DIGITS = /^\d+$/;
const LOWER_CASE_NAME = /^[a-z]{3,24}$/;

/** The host of a link without a scheme; undefined for what only looks like a host name, such as a missing space. */
function bareHost(link: string): string | undefined {
  const [name = ''] = link.split(HOST_END, 1);
  const hasPath = link[name.length] === '/';
  if (/^[\d.]+$/.test(name)) return name;
  const labels = name.split('.');
  if (labels[0]?.toLowerCase() === 'www') return name.toLowerCase();
  // From the end, as a name may run into the next sentence: 'example.com.Call us'.
  for (let count = labels.length; count > 1; count--) {
    const [before = '', last = ''] = labels.slice(count - 2, count);
    if (isTopLevelDomain(last, before, hasPath && count === labels.length))
      return labels.slice(0, count).join('.').toLowerCase();
  }
  return undefined;
}

function isTopLevelDomain(label: string, labelBefore: string, hasPath: boolean): boolean {
  const name = label.toLowerCase();
  if (parse(`example.${name}`).isIcann !== true)
    return name.startsWith('xn--') || (hasPath && LOWER_CASE_NAME.test(label));
  if (hasPath) return true;
  // 'at home.In case' lacks a space; '10.am' and '1.st' are not hosts either.
  if (TITLE_CASE.test(label) && !wordlessTopLevelDomains.has(name)) return false;
  return !(name.length === 2 && DIGITS.test(labelBefore));
}

/** Top-level domains that no sentence begins with: 'Example.Com' is a host, in 'See you at home.In case' a space is missing. */
const wordlessTopLevelDomains: ReadonlySet<string> = new Set(
  `com net org edu gov mil int biz dev app xyz io co ai uk us eu ca au nz ie fr ch dk pl pt nl ru cn jp kr br mx cc tv ly
  gg gl gd gy`.split(/\s+/),
);

/** Tells whether a host or a domain above it belongs to a shortener; shorteners have two or three labels. */
function isShortener(host: string): boolean {
  let dot = host.lastIndexOf('.');
  for (let labels = 2; labels <= 3 && dot > 0; labels++) {
    dot = host.lastIndexOf('.', dot - 1);
    if (urlShorteners.has(host.slice(dot + 1))) return true;
  }
  return false;
}

/** Hosts that shorten URLs for everyone. Shorteners that a company uses for its own pages alone are not included. */
export const urlShorteners: ReadonlySet<string> = new Set(
  `1url.com 2u.pw adf.ly adfoc.us aka.gr b.link bc.vc bit.do bit.ly bitly.com bitly.ws bl.ink budurl.com buff.ly
  chilp.it clck.ru cli.re clicky.me cort.as cutt.ly cutt.us da.gd dlvr.it dub.co dub.sh encurtador.com.br gg.gg goo.gl goo.su
  grabify.link han.gl hyperurl.co hypr.ink ift.tt ij2.me ino.to iplogger.org is.gd j.mp kutt.it kutt.to linkshrink.net
  lnk.to lnkd.in mcaf.ee me2.do n9.cl ouo.io ouo.press ow.ly plu.sh po.st polr.me q.gs qr.ae qr.net rb.gy rebrand.ly
  reurl.cc rotf.lol s.coop s.id s2r.co sh.st short.cm short.gy short.io short.link shorte.st shorten.at shorter.me
  shorturl.asia shorturl.at shorturl.com shorturl.gg smarturl.it snip.ly snipurl.com snurl.com soo.gd su.pr surl.li t.co
  t.ly t2m.io tcrn.ch tinu.be tiny.cc tiny.ie tiny.one tiny.pl tinyarrows.com tinylink.in tinyurl.com tinyurl.mobi tly.bio
  tny.im tr.ee tr.im trib.al u.to ur.ly url.ie urlshortener.at urly.it urlz.fr urlzs.com v.gd v.ht vo.la vzturl.com x.co
  x.gd xurl.es zpr.io zws.im zzb.bz`.split(/\s+/),
);
