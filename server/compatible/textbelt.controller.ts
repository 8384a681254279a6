import { Body, Controller, Get, HttpCode, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { pasted } from '#contract/characters.js';
import { balance as exampleBalance } from '#contract/examples.js';
import { limits } from '#contract/limits.js';
import type { MessageStatus } from '#contract/messages.js';
import { Credits } from '#core/credits/credits.js';
import { ApiKeys } from '#core/keys/api-keys.js';
import { AccountRequests } from '#core/platform/places/account-requests.js';
import { Messages } from '#core/messages/history/messages.js';
import { SendMessage } from '#core/messages/send/send-message.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { MessageCallbacks } from '#core/webhooks/callbacks/message-callbacks.js';
import { takePlace } from '../http/account-places.js';
import { incomplete, invalid, number, parsed, quotaOf, text, TextbeltCallers, TextbeltErrors } from './textbelt.js';

/** `sender` is accepted: the operator registers names of senders. */
const textFields = z.strictObject({
  phone: number,
  message: text,
  key: text,
  sender: text,
  replyWebhookUrl: text,
  webhookData: text,
});
type TextbeltStatus = 'SENDING' | 'SENT' | 'DELIVERED' | 'FAILED' | 'UNKNOWN';
const statuses: Readonly<Record<MessageStatus, TextbeltStatus>> = {
  scheduled: 'SENDING',
  queued: 'SENDING',
  sending: 'SENDING',
  sent: 'SENT',
  delivered: 'DELIVERED',
  undelivered: 'FAILED',
  failed: 'FAILED',
  canceled: 'FAILED',
};

/** POST /text, GET /status/{textId} and GET /quota/{key}, as Textbelt's API. */
@Controller()
@UseFilters(TextbeltErrors)
export class TextbeltController {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly callers: TextbeltCallers,
    private readonly sendMessage: SendMessage,
    private readonly messages: Messages,
    private readonly credits: Credits,
    private readonly callbacks: MessageCallbacks,
    private readonly places: AccountRequests,
  ) {}

  @Post('text')
  @HttpCode(200)
  async send(@Body() body: unknown, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const fields = parsed(textFields, body);
    const { phone, message, key } = fields;
    if (!phone || !message || !key) throw incomplete();
    const url = this.replyUrlOf(fields);
    const caller = await this.callers.admit(key, request, reply);
    const sent = await this.sendMessage.send({
      ...caller,
      to: phone,
      text: message,
      reference: undefined,
      idempotencyKey: undefined,
      callback: url
        ? this.callbacks.prepare({ format: 'textbelt', url, data: fields.webhookData, key: caller.key, keyText: key })
        : undefined,
    });
    return { success: true, textId: sent.messageId, quotaRemaining: quotaOf(sent) };
  }

  /**
   * Needs no key, as with Textbelt: the id cannot be guessed, and the answer is the status alone.
   */
  @Get('status/:textId')
  async status(@Param('textId') textId: string) {
    const status = await this.messages.findForOperator(textId).then(
      (message) => statuses[message.status],
      (error: unknown): TextbeltStatus => {
        if (error instanceof DomainError && error.code === 'message_not_found') return 'UNKNOWN';
        throw error;
      },
    );
    return { success: true, status };
  }

  @Get('quota/:key')
  async quota(
    @Param('key') apiKey: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { key, address } = await this.callers.admit(apiKey, request, reply);
    try {
      const { accountId } = await this.apiKeys.authenticate(key, address, 'read');
      await takePlace(this.places, accountId, request, reply);
      const { balance, frozen } = await this.credits.balanceOf(accountId);
      return { success: true, quotaRemaining: key.test ? exampleBalance.balance : balance - frozen };
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unknown_api_key')
        return { success: false, quotaRemaining: 0 };
      throw error;
    }
  }

  /** The URL for replies; undefined if there is none. */
  private replyUrlOf({ replyWebhookUrl, webhookData: data = '' }: z.infer<typeof textFields>): string | undefined {
    const url = replyWebhookUrl && pasted(replyWebhookUrl);
    if (data !== '' && !url) throw invalid('webhookData: needs replyWebhookUrl. Nothing was sent.');
    if (data.length > limits.webhookDataCharactersMax)
      throw invalid(`webhookData: at most ${limits.webhookDataCharactersMax} characters.`);
    const fault = url && this.callbacks.urlFault(url);
    if (fault) throw invalid(`replyWebhookUrl: ${fault} Nothing was sent.`);
    return url;
  }
}
