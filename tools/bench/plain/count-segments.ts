// GSM 03.38's basic alphabet and its extension table (3GPP TS 23.038, 6.2.1); the latter takes two places.
const gsm = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€\f]*$/;
const extension = /[\^{}\\[~\]|€\f]/g;

/** Segments of a text: 160 or 153 places in GSM-7, 70 or 67 in UCS-2. */
export function countSegments(text: string): number {
  if (!gsm.test(text)) return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
  const places = text.length + (text.match(extension)?.length ?? 0);
  return places <= 160 ? 1 : Math.ceil(places / 153);
}
