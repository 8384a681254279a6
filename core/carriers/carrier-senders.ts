import { Injectable } from '@nestjs/common';
import { bindNumbers, carrierNumbers } from '#contract/carrier-codes.js';
import { NumberDirectory } from '../numbers/number-directory.js';
import { type CarrierConfig, Config } from '../platform/config/config.js';

/** SQL: number of the carrier that last got a message; the first carrier before a hand-over. */
export const carrierOf = (message: string) => `coalesce(${message}.carrier, ${carrierNumbers.twilio})`;

/**
 * Joins messages with the carriers whose settings list their senders, as a relation `senders` with
 * null for other senders. Parameters from `first` on: {@link CarrierSenders.values}.
 */
export const joinSenders = (message: string, first: number) =>
  `LEFT JOIN unnest($${first}::text[], $${first + 1}::smallint[]) AS senders (sender, carrier)
    ON senders.sender = ${message}.sender`;

/** SQL: number of that carrier; for a bought number (`joinBought`), the carrier that sold it. */
export const carrierOfSender = (first: number) => `coalesce(senders.carrier, bought.carrier, $${first + 2}::smallint)`;

/**
 * Senders of each carrier: the senders in its settings, and the numbers that accounts have bought
 * there. Any other sender belongs to the first carrier. The sender of a channel of one-time passwords
 * is never among the senders for a country.
 */
@Injectable()
export class CarrierSenders {
  /** Senders of all carriers, their carriers' numbers, and the first carrier's number. */
  readonly values: readonly [senders: readonly string[], carriers: readonly number[], first: number];
  /** Senders by country code; under '' the senders for countries without their own. */
  private readonly lists: ReadonlyMap<string, readonly string[]>;
  private readonly numbers: ReadonlyMap<string, number>;
  private readonly first: number;
  /** Numbers of the carriers that take files. */
  private readonly takingFiles: ReadonlySet<number>;

  constructor(
    { carriers, channels }: Config,
    private readonly directory: NumberDirectory,
  ) {
    this.first = carriers[0].number;
    this.takingFiles = new Set(carriers.filter(({ carriesMedia }) => carriesMedia).map(({ number }) => number));
    this.numbers = new Map([
      ...channels.map(({ sender, number }) => [sender, number] as const),
      ...carriers.toReversed().flatMap(numbersOf),
    ]);
    this.values = [[...this.numbers.keys()], [...this.numbers.values()], this.first];
    const countries = new Set(carriers.flatMap(({ countrySenders }) => [...countrySenders.keys()]));
    this.lists = new Map(
      ['', ...countries].map((country) => [
        country,
        carriers.flatMap(({ senders, countrySenders }) => countrySenders.get(country) ?? senders),
      ]),
    );
  }

  /** Returns the senders for recipients of a country, ISO 3166-1 alpha-2. */
  ofCountry(country: string): readonly string[] {
    return this.lists.get(country) ?? this.lists.get('') ?? [];
  }

  /** Returns the lists of senders for single countries and for all other countries. */
  all(): readonly (readonly string[])[] {
    return [...this.lists.values()];
  }

  /** Whether the carrier of a sender that no account has bought takes messages with files. */
  takesFiles(sender: string): boolean {
    return this.takingFiles.has(this.carrierOfOperated(sender));
  }

  /** Returns the number of the carrier of a sender that no account has bought. */
  carrierOfOperated(sender: string): number {
    return this.numbers.get(sender) ?? this.first;
  }

  /**
   * Returns the number of the carrier of any sender, also a bought number. Receipts and replies of
   * other carriers never count for the sender.
   */
  async carrierOf(sender: string): Promise<number> {
    return (await this.ownerOf(sender)) ?? this.first;
  }

  /**
   * Whether replies to a number count when this carrier delivers them: they do for its own numbers
   * and, except for an SMPP peer, which can write any number, for numbers that no carrier lists any
   * more.
   */
  async mayReceive(carrier: number, number: string): Promise<boolean> {
    const owner = await this.ownerOf(number);
    return owner === undefined ? carrier < bindNumbers.first : owner === carrier;
  }

  private async ownerOf(sender: string): Promise<number | undefined> {
    return this.numbers.get(sender) ?? (await this.directory.all()).get(sender)?.carrier ?? undefined;
  }
}

function numbersOf({ number, senders, countrySenders }: CarrierConfig): [string, number][] {
  return [...senders, ...[...countrySenders.values()].flat()].map((sender) => [sender, number]);
}
