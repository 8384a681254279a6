import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { redeemAlphabet, shownRedeemCode } from '../rules/redeem-code.js';
import { RedeemCodesRepository } from './redeem-codes.repository.js';

/** 30^12 codes: at 10 guesses in 10 minutes, nobody finds one. */
const CODE_CHARACTERS = 12;

/** The operator makes a code that brings `credits` to each of up to `usesMax` accounts. */
@Injectable()
export class CreateRedeemCode {
  constructor(private readonly codes: RedeemCodesRepository) {}

  async run(credits: number, usesMax: number, expiresAt: Date | null): Promise<{ code: string }> {
    const letters = Array.from({ length: CODE_CHARACTERS }, () => redeemAlphabet[randomInt(redeemAlphabet.length)]);
    const code = letters.join('');
    await this.codes.insert({ code, credits, usesMax, expiresAt });
    return { code: shownRedeemCode(code) };
  }
}
