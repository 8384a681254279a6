import { Injectable } from '@nestjs/common';
import { bindNumbers, carrierNumbers } from '#contract/carrier-codes.js';
import { NumberDirectory } from '../numbers/number-directory.js';
import { type CarrierConfig, Config } from '../platform/config/config.js';

/** SQL of the number of the carrier that a message was last handed to; before that, of the first one. */
export const carrierOf = (message: string) => `coalesce(${message}.carrier, ${carrierNumbers.twilio})`;

/**
 * Joins the messages of a relation with the carriers whose settings list their senders, as a relation
 * `senders` with null where none does. The parameters, from the given one on, are
 * those of {@link CarrierSenders.values}.
 */
export const joinSenders = (message: string, first: number) =>
  `LEFT JOIN unnest($${first}::text[], $${first + 1}::smallint[]) AS senders (sender, carrier)
    ON senders.sender = ${message}.sender`;

/** SQL of the number of that carrier; of a number that was bought (`joinBought`), that where it was bought. */
export const carrierOfSender = (first: number) => `coalesce(senders.carrier, bought.carrier, $${first + 2}::smallint)`;

/**
 * Which senders the carriers have: those that their settings list, and the numbers that accounts have
 * bought there. Any other sender is one of the first carrier.
 */
@Injectable()
export class CarrierSenders {
  /** Senders of all carriers, their carriers' numbers, and the first carrier's number. */
  readonly values: readonly [senders: readonly string[], carriers: readonly number[], first: number];
  /** The senders for a country by its code, and under '' those for countries without their own. */
  private readonly lists: ReadonlyMap<string, readonly string[]>;
  private readonly numbers: ReadonlyMap<string, number>;
  private readonly first: number;
  /** Numbers of the carriers that take files. */
  private readonly takingFiles: ReadonlySet<number>;

  constructor(
    { carriers }: Config,
    private readonly directory: NumberDirectory,
  ) {
    this.first = carriers[0].number;
    this.takingFiles = new Set(carriers.filter(({ carriesMedia }) => carriesMedia).map(({ number }) => number));
    this.numbers = new Map(carriers.toReversed().flatMap(numbersOf));
    this.values = [[...this.numbers.keys()], [...this.numbers.values()], this.first];
    const countries = new Set(carriers.flatMap(({ countrySenders }) => [...countrySenders.keys()]));
    this.lists = new Map(
      ['', ...countries].map((country) => [
        country,
        carriers.flatMap(({ senders, countrySenders }) => countrySenders.get(country) ?? senders),
      ]),
    );
  }

  /** The senders for recipients of a country, ISO 3166-1 alpha-2. */
  ofCountry(country: string): readonly string[] {
    return this.lists.get(country) ?? this.lists.get('') ?? [];
  }

  /** The lists of senders for one country each, and for all others. */
  all(): readonly (readonly string[])[] {
    return [...this.lists.values()];
  }

  /** Whether the carrier of a sender that no account has bought takes messages with files. */
  takesFiles(sender: string): boolean {
    return this.takingFiles.has(this.carrierOfOperated(sender));
  }

  /** The number of the carrier that a sender belongs to; no account has bought the sender. */
  carrierOfOperated(sender: string): number {
    return this.numbers.get(sender) ?? this.first;
  }

  /**
   * The number of the carrier that a sender belongs to, also of one that was bought. Receipts and
   * replies of another carrier never count for it.
   */
  async carrierOf(sender: string): Promise<number> {
    return (await this.ownerOf(sender)) ?? this.first;
  }

  /**
   * Whether replies to a number count when this carrier delivers them: its own numbers, and, except for
   * an SMPP peer, which can write any number, those that no carrier lists any more.
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
