import { Body, Controller, Get, HttpCode, HttpException, Post } from '@nestjs/common';
import { sendSmsBody, type SendSmsAnswer } from '#contract/messages.js';
import { SendMessage } from './send-message.js';

@Controller()
export class PlainController {
  constructor(private readonly sendMessage: SendMessage) {}

  @Post('api/sendsms')
  @HttpCode(200)
  async send(@Body() given: unknown): Promise<SendSmsAnswer> {
    const { success, data } = sendSmsBody.safeParse(given);
    if (!success) throw new HttpException('invalid_request', 400);
    const { to, message: text, apikey: apiKey } = data;
    if (!to || !text || !apiKey) throw new HttpException('missing_fields', 400);
    const { messageId, segments, credits } = await this.sendMessage.run({ to, text, apiKey });
    return { success: 'true', message_id: messageId, segments, credits };
  }

  @Get('healthz')
  up(): { status: 'ok' } {
    return { status: 'ok' };
  }
}
