const TINTS = 5;

/** What stands for a number in the list: a coin with its last two digits, always in the same tint. */
export function Coin({ phone }: { phone: string }) {
  let sum = 0;
  for (const character of phone) sum = (sum * 31 + character.charCodeAt(0)) % 9973;
  return (
    <span className={`coin coin-${(sum % TINTS) + 1}`} aria-hidden="true">
      {phone.slice(-2)}
    </span>
  );
}
