import { Injectable } from '@nestjs/common';
import { Credits } from '../credits/credits.js';
import { MessagesRepository } from './messages.repository.js';

/** Proves the money: balances against the ledger, and every message against its one charge and its refund. */
@Injectable()
export class CheckCharges {
  constructor(
    private readonly credits: Credits,
    private readonly messages: MessagesRepository,
  ) {}

  async run(): Promise<{ accounts: number; entries: number; mismatches: number }> {
    const ledger = await this.credits.check();
    return { ...ledger, mismatches: ledger.mismatches + (await this.messages.countChargeMismatches()) };
  }
}
