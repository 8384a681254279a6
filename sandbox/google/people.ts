import { createHash } from 'node:crypto';

/** Somebody who can sign in. */
export interface Person {
  readonly name: string;
  readonly email: string;
  readonly isVerified: boolean;
}

const RECENT_MAX = 6;
const EMAIL_CHARACTERS_MAX = 254;
const NAME_CHARACTERS_MAX = 100;

// Names that a page must bear: short, long, with accents, and written from right to left. The first owns the demo account.
const READY_MADE: readonly Person[] = [
  { name: 'Penny Demo', email: 'demo@pennytext.example', isVerified: true },
  { name: 'Ada Kowalska', email: 'ada.kowalska@example.com', isVerified: true },
  { name: 'Tomás Ferreira', email: 'tomas@ferreira.example', isVerified: true },
  {
    name: 'Wilhelmina van der Merwe-Featherstonehaugh',
    email: 'w.vandermerwe-featherstonehaugh@example.org',
    isVerified: true,
  },
  { name: 'نور حداد', email: 'noor.haddad@example.com', isVerified: true },
];

/** The accounts that the chooser offers: those used last, then the ready-made ones. */
export class People {
  private recent: readonly Person[] = [];

  get all(): readonly Person[] {
    const used = new Set(this.recent.map(({ email }) => email));
    return [...this.recent, ...READY_MADE.filter(({ email }) => !used.has(email))];
  }

  find(email: string): Person | undefined {
    return this.all.find((person) => person.email === email);
  }

  /** Puts a person at the front. */
  use(person: Person): void {
    this.recent = [person, ...this.recent.filter(({ email }) => email !== person.email)].slice(0, RECENT_MAX);
  }

  clear(): void {
    this.recent = [];
  }
}

/** A person as somebody typed it in, or what is wrong with it. */
export function typedPerson(name: string, email: string, isVerified: boolean): Person | string {
  const address = email.trim().toLowerCase();
  if (address === '') return 'Type an e-mail address.';
  if (!/^[^\s@]+@[^\s@]+$/.test(address) || address.length > EMAIL_CHARACTERS_MAX) {
    return 'An e-mail address has a name, an @ and a domain: ada@example.com';
  }
  const words = name.trim().replace(/\s+/g, ' ');
  if (words.length > NAME_CHARACTERS_MAX) return `A name has up to ${NAME_CHARACTERS_MAX} characters.`;
  return { name: words === '' ? nameFrom(address) : words, email: address, isVerified };
}

/** Google's account id: 21 digits, always the same for one address. */
export function subjectOf({ email }: Person): string {
  const digits = BigInt(`0x${createHash('sha256').update(email).digest('hex')}`) % 10n ** 20n;
  return `1${digits.toString().padStart(20, '0')}`;
}

/** One or two letters that stand for a person. */
export function initialsOf(name: string): string {
  const words = name.split(' ').filter(Boolean);
  const first = [...(words[0] ?? '')][0] ?? '';
  const last = words.length > 1 ? ([...(words[words.length - 1] ?? '')][0] ?? '') : '';
  return (first + last).toUpperCase();
}

function nameFrom(address: string): string {
  const words = address
    .slice(0, address.indexOf('@'))
    .split(/[._+-]+/)
    .filter(Boolean);
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ') || address;
}
