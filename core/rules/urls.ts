import { LinkifyIt, REBuilder } from 'linkify-it';
import { parse } from 'tldts';
import { normalized, withoutInvisible } from '#contract/characters.js';
import { reachOf } from './network-addresses.js';

/** A URL that was found in a text. */
interface FoundUrl {
  /** The URL after normalization, cut to a length that can be quoted. */
  readonly text: string;
  /** Whether the URL belongs to a public URL shortener. */
  readonly shortened: boolean;
}

/**
 * Returns the first URL in a text, or the first shortened URL if there is one; undefined without a
 * URL. URLs are links with a scheme, 'www.' names, host names under a top-level domain of ICANN's
 * list, IPv4 addresses, and tel:, sms: and tg: links, all as phones turn them into links. Email
 * addresses, prices, times, and abbreviations and version numbers that cannot be hosts are not
 * URLs. Takes time in proportion to the length.
 */
export function urlIn(text: string): FoundUrl | undefined {
  if (PLAIN.test(text) || SENTENCES.test(text)) return undefined;
  const plain = plainLinks(text);
  let first: string | undefined;
  for (const { schema, raw, index, lastIndex } of linkify.match(plain) ?? []) {
    const isBare = schema === '' || schema === 'mailto:';
    const link = isBare
      ? bareLink(plain, schema === '' ? index : plain.lastIndexOf('@', lastIndex) + 1, lastIndex)
      : raw;
    const host = isBare ? bareHost(link, plain.slice(0, index)) : hostOf(schema, raw);
    if (host === undefined) continue;
    if (isShortener(host)) return { text: quotable(link), shortened: true };
    first ??= link;
  }
  first ??= ANY_SCHEME.exec(plain)?.[0];
  return first === undefined ? undefined : { text: quotable(first), shortened: false };
}

/** Returns the host of a link with a scheme; '' for a link without a host, such as tel:. */
function hostOf(schema: string, link: string): string {
  return schema.startsWith('http') ? (parse(link).hostname ?? '') : '';
}

const QUOTED_CHARACTERS_MAX = 60;

function quotable(link: string): string {
  const characters = [...link];
  return characters.length > QUOTED_CHARACTERS_MAX ? `${characters.slice(0, QUOTED_CHARACTERS_MAX).join('')}…` : link;
}

/** Text without dots, colons and characters that normalization could turn into them. */
const PLAIN = /^[^.:([{\u0080-\uffff]*$/;
/** Such a text with dots only before white space or at the end, where no link continues. */
const SENTENCES = /^[^.:([{%/\u0080-\uffff]*(?:\.(?!\S)[^.:([{%/\u0080-\uffff]*)+$/;
/** RFC 3986, 3.1. Phones hand such links to other programs: 'market://details', 'ftp://files'. */
const ANY_SCHEME = /[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/?#.]\S{0,200}/i;
const DOTS = /[\u3002\uff61]/g;
/** Dots as in 'example[.]com' and 'example (dot) com', which are meant as links. */
const BRACKETED_DOT = / ?[([{] ?(?:\.|dot) ?[)\]}] ?/gi;
const ESCAPED_HOST_CHARACTER = /%(?:2d|2e|3\d|[46][1-9a-f]|[57][0-9a])/gi;

/**
 * Full-width letters, ideographic full stops and percent signs mean plain characters to a browser:
 * 'bit。ly' is bit.ly. Invisible characters are ignored in host names (UTS #46).
 */
function plainLinks(text: string): string {
  return normalized(withoutInvisible(text), 'NFKC')
    .replace(DOTS, '.')
    .replace(BRACKETED_DOT, '.')
    .replace(ESCAPED_HOST_CHARACTER, decodeURIComponent);
}

const PAGE_AFTER_HOST = /(?:[/\\]|[?#](?=[a-z0-9])|:(?=\d))\S{0,200}/iy;
/** The end of the name in an email address; '@evil.com' after anything else is read as a link. */
const NAME_END = /[\p{L}\p{N}\p{M}_+]@$/u;
/** The rest of an email address whose name looks like a host so far. */
const REST_OF_ADDRESS = /[\p{L}\p{N}\p{M}._%+-]{0,64}@[\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}]/uy;

/**
 * Returns the link without a scheme from `start` to `end`; '' for a part of an email address,
 * unless a page follows its host.
 */
function bareLink(text: string, start: number, end: number): string {
  const link = text.slice(start, end);
  if (NAME_END.test(text.slice(Math.max(0, start - 3), start))) {
    const hostEnd = start + link.split(HOST_END, 1).join('').length;
    PAGE_AFTER_HOST.lastIndex = hostEnd;
    const page = PAGE_AFTER_HOST.exec(text)?.[0];
    return page === undefined ? '' : text.slice(start, hostEnd) + page;
  }
  REST_OF_ADDRESS.lastIndex = end;
  return HOST_END.test(link) || !REST_OF_ADDRESS.test(text) ? link : '';
}

const LATIN = 'a-z0-9\\u00c0-\\u024f\\u1e00-\\u1eff';
const LINK_LENGTH_MAX = 2_000;

/**
 * Accepts more than linkify-it does by default, because a text that phones link must not pass as
 * plain: names that touch another script, a dash, an underscore or a comma, ports without
 * 'http://', and long user information.
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
      `()(?:(?![${LATIN}])|(?<![${LATIN}]|[${LATIN}][.-]))${this.get_fuzzy_url_host_port().source}${this.get_path().source}`,
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
// RFC 3966, RFC 5724, and other schemes that phones know.
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
/** The word before a version number. */
const VERSION_WORD = /\b(?:version|ver\.?|v\.?|release|build|firmware) ?$/i;
/**
 * No address begins with 0, and addresses of four single digits are in networks of a few old
 * holders.
 */
const SMALL_VERSION = /^(?:0(?:\.\d{1,3}){3}|\d(?:\.\d){3})$/;
/**
 * '9.am', 'the 1.st'. Country registries reserve names of one character; '10.am' and '77.am' can be
 * registered.
 */
const TIME_OR_ORDINAL = /^\d\.(?:am|pm|st|th)$/i;
/** 'e.g.in', 'a.m.to': also reserved, below a country's domain. 'a.m.xyz' can be registered. */
const INITIALISM = /^(?:[Ee]\.g|[Ii]\.e|[AaPp]\.m)\.[a-z]{2}$/;
/** Other abbreviations that end with a top-level domain, reserved or unused as hosts. */
const abbreviations: ReadonlySet<string> = new Set(
  'B.Sc M.Sc B.Com M.Com B.Tech M.Tech Co.Ltd Pvt.Ltd Pty.Ltd P.O.Box'.split(' '),
);

/**
 * Whether an address after such a word cannot belong to a stranger: 'version 1.2.3.4', 'version
 * 10.2.0.1'.
 */
function isVersion(name: string, textBefore: string): boolean {
  return VERSION_WORD.test(textBefore.slice(-10)) && (SMALL_VERSION.test(name) || reachOf(name) === 'private');
}

/**
 * Returns the host of a link without a scheme; undefined for a text that only looks like a host
 * name, such as an abbreviation.
 */
function bareHost(link: string, textBefore: string): string | undefined {
  const [name = ''] = link.split(HOST_END, 1);
  const isAlone = name.length === link.length;
  if (IPV4.test(name)) return isAlone && isVersion(name, textBefore) ? undefined : name;
  const labels = name.split('.');
  if (labels[0]?.toLowerCase() === 'www') return name.toLowerCase();
  const hasPath = link[name.length] === '/';
  // The search starts at the end, as a name may run into the next sentence: 'bit.ly.Call us',
  // although .call is also a top-level domain.
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

/**
 * Tells whether a host or a domain above it belongs to a shortener; shorteners have two or three
 * labels.
 */
function isShortener(host: string): boolean {
  let dot = host.lastIndexOf('.');
  for (let labels = 2; labels <= 3 && dot > 0; labels++) {
    dot = host.lastIndexOf('.', dot - 1);
    if (urlShorteners.has(host.slice(dot + 1))) return true;
  }
  return false;
}

/**
 * Hosts that shorten URLs for everyone. Shorteners that a company uses only for its own pages are
 * not included.
 */
export const urlShorteners: ReadonlySet<string> = new Set(
  `1pt.co 1url.com 2no.co 2u.pw 4ty.me 985.so 9qr.de abre.ai acortar.link adf.ly adfoc.us adshrink.it aka.gr app.link
  ay.gy ay.link aylink.co b.link b2n.ir bc.vc bit.do bit.kz bit.ly bitly.com bitly.cx bitly.su bitly.ws bl.ink
  budurl.com buff.ly buly.kr c11.kr chilp.it ckk.ai clck.ru cli.re clicky.me clk.sh cort.as cpmlink.net cutt.ly
  cutt.us da.gd dik.si dlvr.it dub.co dub.sh dwz.cn eepurl.com ej.uz encurtador.com.br exe.io ezstat.ru fanlink.to
  fc.lc ffm.to geni.us gg.gg go2l.ink goo.gl goo.su goolnk.com gotiny.cc gplinks.co gplinks.in grabify.link han.gl
  hubs.la hubs.ly hyperlink.ws hyperurl.co hypr.ink ift.tt ij2.me ino.to inx.lv iplogger.com iplogger.info
  iplogger.org is.gd ity.im j.gs j.mp jo.my joturl.com kl.am kurzelinks.de kutt.it kutt.link kutt.to l.ead.me lc.cx
  lihi.cc lihi1.cc lihi2.cc link.ac link.tl linkshrink.net linktr.ee linkvertise.com lk.ax ln.run lnk.bio lnk.to
  lnkd.in lrl.kr lstu.fr maac.io mailchi.mp mcaf.ee me2.do me2.kr merky.de minify.link mrw.so muz.so n9.cl o.ly oke.io
  onelink.me onelink.to oua.be ouo.io ouo.press ow.ly oxelt.gl page.link picsee.io pixelfy.me plu.sh po.st polr.me
  ppt.cc pros.is pse.is pxlme.me q.gs qr.ae qr.io qr.net qrcd.org qrco.de qrs.ly rb.gy rebrand.ly reurl.cc rlu.ru
  rotf.lol s.42l.fr s.coop s.id s2r.co saf.li scnv.io sh.st shink.me shor.by shorl.com short.cm short.gy short.io
  short.link shorte.link shorte.st shorten.at shorten.rest shorter.gg shorter.me shorturl.asia shorturl.at
  shorturl.com shorturl.fm shorturl.gg shrinke.me shrinkme.io shrlc.com shrtco.de shrtfly.com smarturl.it smol.link
  snip.link snip.ly sniply.io snipurl.com snurl.com soo.gd soo.nr spoo.me srt.am su.pr suo.im suo.nz surl.li
  switchy.io t.cn t.co t.ly t1p.de t2m.co t2m.io tcrn.ch tinu.be tiny.cc tiny.ee tiny.ie tiny.im tiny.one tiny.pl
  tiny.uk tinyarrows.com tinycc.com tinylink.in tinylink.net tinyurl.co tinyurl.com tinyurl.is tinyurl.mobi tly.bio
  tny.im tny.sh to.ly tr.ee tr.im tr.link trib.al u.nu u.to ulvis.net ur.ly url.cn url.ie url.kr urlgeni.us urlr.me
  urls.fr urlshortener.at urluno.com urly.it urlz.fr urlzs.com v.gd v.ht vk.cc vo.la vurl.com vzturl.com w.wiki
  wa.link walink.co x.co x.gd xurl.es yip.su yun.ir za.gl zaya.io zcu.io zee.gl zpr.io zrr.kr zws.im zy.sh
  zzb.bz`.split(/\s+/),
);
