const NORTH_AMERICA = /^\+1[2-9]\d{9}$/;
const ELSEWHERE = /^\+[2-9]\d{6,14}$/;
const MAGIC = /^\+1500555000\d$/;
const SHORT_CODE = /^\d{3,8}$/;
const ALPHANUMERIC_SENDER = /^(?=.*[A-Za-z])[A-Za-z0-9 +&_-]{1,11}$/;

/** Parses an E.164 number, ignoring punctuation; returns null when it is invalid. */
export function phoneNumber(text: string): string | null {
  const bare = text.replace(/[\s().-]/g, '');
  return NORTH_AMERICA.test(bare) || ELSEWHERE.test(bare) || MAGIC.test(bare) ? bare : null;
}

/**
 * Parses a sender: phone number, short code or alphanumeric sender ID; returns null when it is
 * invalid.
 */
export function senderAddress(text: string): string | null {
  const trimmed = text.trim();
  if (SHORT_CODE.test(trimmed) || ALPHANUMERIC_SENDER.test(trimmed)) return trimmed;
  return phoneNumber(trimmed);
}
