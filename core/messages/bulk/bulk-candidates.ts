import { Injectable } from '@nestjs/common';
import type { DomainError } from '../../platform/errors/domain-error.js';
import { newMessageId } from '../../rules/ids.js';
import { mmsBytesMaxOf } from '../../rules/mms.js';
import type { GivenFile } from '../files/given-files.js';
import { type FilesCaller, type LinkText, PrepareFiles } from '../send/prepare-files.js';
import type { MessageMediaOptions } from '../send/price-message.js';
import type { RowFiles } from '../files/message-files.repository.js';
import { type AcceptanceRow, rowOf, type RowRequest } from '../send/acceptance-batch.js';
import { timingOf } from '../send/send-options.js';
import { Senders } from '../senders/senders.js';
import type { BulkRequest } from './bulk-caller.js';
import type { PricedItem } from './bulk-items.js';

const SENDERS_AT_ONCE = 100;

/** A message of a bulk that is about to be accepted. */
export interface Candidate {
  readonly item: PricedItem;
  readonly row: AcceptanceRow;
}

/** Data that the candidates of a bulk share. */
interface Shared {
  readonly input: BulkRequest;
  readonly filesOf: (sender: string) => Promise<RowFiles | undefined>;
  readonly linkText: LinkText;
}

/** Builds the rows of a bulk: chooses the sender of each message and stores its files. */
@Injectable()
export class BulkCandidates {
  constructor(
    private readonly senders: Senders,
    private readonly prepareFiles: PrepareFiles,
  ) {}

  /** Returns the reason why the named sender cannot be used; undefined if it can. */
  async senderFault({ key, options: { from } }: BulkRequest): Promise<DomainError | undefined> {
    return from === undefined ? undefined : this.senders.faultOf(key, from);
  }

  /** Finds or fetches the files of all messages. Throws as `GivenFiles`. */
  files(caller: FilesCaller, media: MessageMediaOptions): Promise<readonly GivenFile[]> {
    return this.prepareFiles.find(caller, media);
  }

  /** Files that the store has, for a test; nothing is fetched. Throws as `GivenFiles.known`. */
  async knownFiles(caller: FilesCaller, media: MessageMediaOptions): Promise<readonly GivenFile[]> {
    return (await this.prepareFiles.known(caller, media)).map((file) => ({ ...file, id: null }));
  }

  /** Builds the rows. Throws the errors of files, which concern all messages. */
  async of(
    input: BulkRequest,
    items: readonly PricedItem[],
    caller: FilesCaller,
    files: readonly GivenFile[] = [],
  ): Promise<Candidate[]> {
    const { transcode = true } = input.media ?? {};
    const byLimit = new Map<number, Promise<RowFiles | undefined>>();
    const filesOf = (sender: string) => {
      const bytesMax = mmsBytesMaxOf(sender);
      const known = byLimit.get(bytesMax);
      if (known) return known;
      const prepared = this.prepareFiles.forSender(caller, files, { sender, transcode }).then(({ row }) => row);
      byLimit.set(bytesMax, prepared);
      return prepared;
    };
    const isLinked = items.some(({ as }) => as === 'links');
    const linkText: LinkText = isLinked ? await this.prepareFiles.asLinks(caller, files) : ({ body }) => body;
    const shared: Shared = { input, filesOf, linkText };
    const candidates: Candidate[] = [];
    for (let first = 0; first < items.length; first += SENDERS_AT_ONCE) {
      const some = items.slice(first, first + SENDERS_AT_ONCE);
      candidates.push(...(await Promise.all(some.map((item) => this.candidateOf(item, shared)))));
    }
    return candidates;
  }

  /** Reads the senders again, after the operator has changed them. */
  async renewSenders(): Promise<void> {
    await this.senders.renew();
  }

  private async candidateOf(item: PricedItem, shared: Shared): Promise<Candidate> {
    const { key, address, options } = shared.input;
    const { price, reference, as } = item;
    // The id is made before any wait: the list of a batch is in the order of ids.
    const id = newMessageId();
    const hasFiles = as === 'mms';
    const needs = { from: options.from, hasFiles };
    // Files are fitted to one sender; the sender of other messages is chosen at acceptance.
    const sender = hasFiles ? await this.senders.senderFor(key, price.recipient, price.country, needs) : null;
    const request: RowRequest = {
      id,
      kind: hasFiles ? 'mms' : 'sms',
      key,
      address,
      reference,
      timing: timingOf(options),
      dedupeSeconds: options.dedupeSeconds,
      files: sender === null ? undefined : await shared.filesOf(sender),
    };
    const row = rowOf(request, as === 'links' ? { ...item, body: shared.linkText(item) } : item);
    if (sender === null) row.candidates = await this.senders.candidatesFor(key, price.recipient, price.country, needs);
    return { item, row };
  }
}
