/** Hosts that shorten anybody's URLs. A company's shortener for its own pages alone is not here. */
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
