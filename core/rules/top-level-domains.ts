const setOf = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/));

/** All country codes and the widely used generic names of IANA's root zone. */
export const topLevelDomains = setOf(
  `ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc cd cf cg
  ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi
  gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky
  kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl
  no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr
  ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za
  zm zw
  academy agency app art asia auction auto band bank bar beauty best bet bid bike bio biz black blog blue boutique business
  buzz cafe cam camera camp capital car cards care cars casa cash casino cat center charity chat cheap church city click
  clinic cloud club coach codes coffee com community company computer construction consulting cool coop country coupons
  credit cruises cyou dance date dating deals delivery dental design dev diamonds digital direct directory discount doctor
  dog domains earth edu education email energy engineering enterprises equipment estate events exchange expert express faith
  family fan fans farm fashion finance financial fish fit fitness flights florist football forsale foundation fun fund
  furniture futbol fyi gallery game games garden gay gift gifts gives glass global gmbh gold golf gov graphics gratis green
  gripe group guide guru hair haus health healthcare help hiv holdings holiday homes hospital host hosting hot house how icu
  immo inc info ink institute insure int international investments irish jetzt jewelry jobs kaufen kim kitchen land lat law
  lawyer lease legal lgbt life lighting limited limo link live llc loan loans lol london love ltd luxe luxury maison
  makeup management market marketing mba media memorial men menu mil mobi mobile moda moe mom money monster mortgage mov
  movie museum music name net network news next ngo ninja now nyc one onl online ooo org organic page paris party parts
  partners pet pharmacy photo photography photos pics pictures pink pizza place plumbing plus poker porn press pro
  productions promo properties property pub quest racing realty recipes red rehab reise rent rentals repair report rest
  restaurant review reviews rich rip rocks rodeo run sale salon sarl save sbs school science security select services sex
  sexy shoes shop shopping show singles site ski skin soccer social software solar solutions space sport spot store stream
  studio study style sucks supplies supply support surf surgery systems talk tattoo tax taxi team tech technology tel tennis
  theater tickets tips tires today tokyo tools top tours town toys trade trading training travel tube university uno vacations
  vegas ventures vet viajes video villas vin vip vision vodka vote voting voyage watch webcam website wedding wiki win wine
  work works world wtf xxx xyz yoga you yachts zip zone`,
);

/** Names that begin no sentence: 'Example.Com' is a host, while 'See you at home.In case' has only lost a space. */
export const wordlessTopLevelDomains = setOf(
  `com net org edu gov mil int biz dev app xyz io co ai uk us eu ca au nz ie fr ch dk pl pt nl ru cn jp kr br mx cc tv ly
  gg gl gd gy`,
);
