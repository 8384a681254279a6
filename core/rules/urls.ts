import { LinkifyIt, REBuilder } from 'linkify-it';
import { parse } from 'tldts';

/** A URL that was found in a text. */
export interface FoundUrl {
  /** After normalization, cut to a length that can be quoted. */
  readonly text: string;
  /** Belongs to a public URL shortener. */
  readonly shortened: boolean;
}

/**
 * Returns the first URL in a text, or the first shortened one if there is any; undefined if there is none. URLs are links with a
 * scheme, 'www.' names, host names under a top-level domain of ICANN's list, IPv4 addresses, and tel:, sms: and tg: links, all as
 * phones turn them into links. Email addresses, version numbers, prices, times and common abbreviations are not URLs. Takes time
 * in proportion to the length.
 */
export function urlIn(text: string): FoundUrl | undefined {
  if (PLAIN.test(text) || SENTENCES.test(text)) return undefined;
  const normalized = normalize(text);
  let first: string | undefined;
  for (const { schema, raw, index, lastIndex } of linkify.match(normalized) ?? []) {
    const isBare = schema === '' || schema === 'mailto:';
    const link = schema === 'mailto:' ? pageOfAddress(normalized, lastIndex) : raw;
    const host = isBare ? bareHost(link, normalized.slice(0, index)) : hostOf(schema, raw);
    if (host === undefined) continue;
    if (isShortener(host)) return { text: quotable(link), shortened: true };
    first ??= link;
  }
  first ??= ANY_SCHEME.exec(normalized)?.[0];
  return first === undefined ? undefined : { text: quotable(first), shortened: false };
}

/** The host of a link with a scheme; '' for one that leads to no host, such as tel:. */
function hostOf(schema: string, link: string): string {
  return schema.startsWith('http') ? (parse(link).hostname ?? '') : '';
}

const QUOTED_CHARACTERS_MAX = 60;

function quotable(link: string): string {
  const characters = [...link];
  return characters.length > QUOTED_CHARACTERS_MAX ? `${characters.slice(0, QUOTED_CHARACTERS_MAX).join('')}…` : link;
}

/** Neither a dot nor a colon, nor anything that normalization could turn into one. */
const PLAIN = /^[^.:([{\u0080-\uffff]*$/;
/** The same with dots before white space or at the end, where no link continues. */
const SENTENCES = /^[^.:([{%/\u0080-\uffff]*(?:\.(?!\S)[^.:([{%/\u0080-\uffff]*)+$/;
/** RFC 3986, 3.1. Phones hand such links to other programs: 'market://details', 'ftp://files'. */
const ANY_SCHEME = /[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/?#.]\S{0,200}/i;
const DOTS = /[\u3002\uff61]/g;
/** 'example[.]com' and 'example (dot) com' are written for one purpose. */
const BRACKETED_DOT = / ?[([{] ?(?:\.|dot) ?[)\]}] ?/gi;
/** Invisible. UTS #46 ignores these in host names, and so do browsers. */
const IGNORED_IN_HOSTS = /\p{Default_Ignorable_Code_Point}/gu;
const ESCAPED_HOST_CHARACTER = /%(?:2d|2e|3\d|[46][1-9a-f]|[57][0-9a])/gi;

/** Full-width letters, ideographic full stops and percent signs mean plain characters to a browser: 'bit。ly' is bit.ly. */
function normalize(text: string): string {
  return text
    .replace(IGNORED_IN_HOSTS, '')
    .normalize('NFKC')
    .replace(DOTS, '.')
    .replace(BRACKETED_DOT, '.')
    .replace(ESCAPED_HOST_CHARACTER, decodeURIComponent);
}

const PAGE_AFTER_HOST = /(?:[/\\]|[?#](?=[a-z0-9])|:(?=\d))\S{0,200}/iy;

/** The page of 'user@example.com/page', 'example.com/page'; '' for 'user@example.com', which is an email address. */
function pageOfAddress(text: string, end: number): string {
  PAGE_AFTER_HOST.lastIndex = end;
  const page = PAGE_AFTER_HOST.exec(text)?.[0];
  return page === undefined ? '' : text.slice(text.lastIndexOf('@', end) + 1, end) + page;
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
      `()(?:(?![${LATIN}])|(?<![${LATIN}]|[${LATIN}][.-]))(?<![${LATIN}]@)${this.get_fuzzy_url_host_port().source}${this.get_path().source}`,
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
  .add('tg:', { validate: lengthOf(/(?:\/\/)?[a-z]+\?\S+|\/\/[a-z]\S*/iy) });
// RFC 3966, RFC 5724, and what phones know beside them.
for (const scheme of ['tel:', 'sms:', 'smsto:', 'mms:', 'mmsto:', 'callto:', 'facetime:', 'facetime-audio:'])
  linkify.add(scheme, { validate: lengthOf(/[+*#(%]{0,3}\d[\d().-]*/y) });

function lengthOf(pattern: RegExp): (text: string, position: number) => number {
  return (text, position) => {
    pattern.lastIndex = position;
    return pattern.exec(text)?.[0].length ?? 0;
  };
}

const HOST_END = /[:/?#\\]/;
const TITLE_CASE = /^[A-Z][a-z]/;
const IPV4 = /^[\d.]+$/;
const LOWER_CASE_NAME = /^[a-z]{3,24}$/;
/** The word before a version number, and a version number that could be an address: 'version 1.2.3.4'. */
const VERSION_WORD = /\b(?:version|ver\.?|v\.?|release|build|firmware) ?$/i;
const SMALL_VERSION = /^\d{1,2}(?:\.\d{1,2}){3}$/;
/** '10.am', '10.30.pm', 'the 1.st' */
const TIME_OR_ORDINAL = /^(?:\d{1,2}\.){1,2}(?:am|pm|st|th)$/i;
/** 'P.O.Box', 'e.g.in', 'a.m.to'. Such hosts have names of one letter, which registries rarely sell. */
const INITIALISM = /^(?:(?:[A-Z]\.){2,}[A-Z][a-z]+|(?:[Ee]\.g|[Ii]\.e|[ap]\.m)\.[a-z]+)$/;
/** Others whose last part is a top-level domain. Reserved or unused as hosts. */
const abbreviations: ReadonlySet<string> = new Set(
  'B.Sc M.Sc B.Com M.Com B.Tech M.Tech Co.Ltd Pvt.Ltd Pty.Ltd'.split(' '),
);

/** The host of a link without a scheme; undefined for what only looks like a host name, such as an abbreviation. */
function bareHost(link: string, textBefore: string): string | undefined {
  const [name = ''] = link.split(HOST_END, 1);
  const isAlone = name.length === link.length;
  if (IPV4.test(name))
    return isAlone && SMALL_VERSION.test(name) && VERSION_WORD.test(textBefore.slice(-10)) ? undefined : name;
  const labels = name.split('.');
  if (labels[0]?.toLowerCase() === 'www') return name.toLowerCase();
  const hasPath = link[name.length] === '/';
  // From the end, as a name may run into the next sentence: 'bit.ly.Call us', though .call is a top-level domain too.
  let longest: string | undefined;
  for (let count = labels.length; count > 1; count--) {
    const host = labels.slice(0, count).join('.');
    const isWhole = count === labels.length;
    if (isWhole && isAlone && isAbbreviation(host)) return undefined;
    const last = labels[count - 1] ?? '';
    if (!isTopLevelDomain(last, isWhole && hasPath)) continue;
    longest ??= host.toLowerCase();
    if (!TITLE_CASE.test(last)) return host.toLowerCase();
  }
  return longest;
}

function isAbbreviation(name: string): boolean {
  return TIME_OR_ORDINAL.test(name) || INITIALISM.test(name) || abbreviations.has(name);
}

function isTopLevelDomain(label: string, hasPath: boolean): boolean {
  const name = label.toLowerCase();
  if (parse(`example.${name}`).isIcann === true) return true;
  return name.startsWith('xn--') || (hasPath && LOWER_CASE_NAME.test(label));
}

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
