import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { AcceptMessage } from './accept-message.js';
import { Admission } from './admission/admission.js';
import { CheckCharges } from './check-charges.js';
import { FindMessage } from './find-message.js';
import { ListMessages } from './list-messages.js';
import { MessageEntity } from './message.entity.js';
import { MessagesRepository } from './messages.repository.js';
import { Progress } from './progress/progress.js';
import { RecordReceipt } from './progress/record-receipt.js';
import { SealedTexts } from './sealed-texts/sealed-texts.js';
import { SealedTextsRepository } from './sealed-texts/sealed-texts.repository.js';
import { SendMessage } from './send-message.js';
import { Senders } from './senders.js';

const useCases = [SendMessage, AcceptMessage, SealedTexts, FindMessage, ListMessages, RecordReceipt, CheckCharges];

/** Outgoing messages as the server needs them: taken in, shown, and moved on by receipts. */
@Module({
  imports: [TypeOrmModule.forFeature([MessageEntity]), AccountsModule, CreditsModule],
  providers: [...useCases, Admission, Senders, MessagesRepository, SealedTextsRepository, Progress],
  exports: [...useCases, Progress],
})
export class MessagesModule {}
