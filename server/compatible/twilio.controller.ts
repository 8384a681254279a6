import {
  Body,
  Catch,
  Controller,
  createParamDecorator,
  Delete,
  Get,
  HttpCode,
  Injectable,
  Param,
  Post,
  Query,
  Res,
  SetMetadata,
  UseFilters,
  UseGuards,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { accountSidOf, type KeyScope } from '#contract/account.js';
import { pasted, plainTyped } from '#contract/characters.js';
import { canceled, delivered } from '#contract/examples.js';
import { faultText } from '#contract/faults.js';
import { limits } from '#contract/limits.js';
import type { MessageView } from '#contract/messages.js';
import { numberOfDigits } from '#contract/whole-numbers.js';
import { ApiKeys } from '#core/keys/api-keys.js';
import { AccountRequests } from '#core/platform/places/account-requests.js';
import type { MessageMediaOptions } from '#core/messages/send/price-message.js';
import { SendMessage } from '#core/messages/send/send-message.js';
import { Messages } from '#core/messages/history/messages.js';
import { NumberDirectory } from '#core/numbers/number-directory.js';
import { CancelMessage } from '#core/messages/status/cancel-message.js';
import { MessageCallbacks } from '#core/webhooks/callbacks/message-callbacks.js';
import { isDatabaseUnavailable } from '#core/platform/errors/database-error.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { parseInstant } from '#core/rules/time.js';
import { parsedUrl } from '#core/rules/network-addresses.js';
import { numberIdFromPublic, poolIdFromPublic } from '#core/rules/ids.js';
import { numberOrSender, parseRecipient } from '#core/rules/phone-numbers.js';
import type { ApiAccount } from '../api/api-caller.js';
import { Batched, takePlace } from '../http/account-places.js';
import { basicOf } from '../http/credentials.js';
import { requestContextOf } from '../http/request-hooks.js';
import { ApiRateLimits } from '../http/rate-limits.js';
import { TwilioError, twilioError, unsupported } from './error-shapes.js';
import { mediaList, messageResource, messagesUri } from './twilio-messages.js';

const PAGE_SIZE_DEFAULT = 50;
const PAGE_SIZE_MAX = 1_000;
const { validitySecondsMin, validitySecondsMax } = limits;

const Scope = (scope: KeyScope) => SetMetadata('scope', scope);

/** The secret is the API key as text: it signs status callbacks. */
type TwilioCaller = ApiAccount & { readonly secret: string };
type TwilioRequest = FastifyRequest<{ Params: { accountSid?: string } }> & { caller?: TwilioCaller };
const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): TwilioCaller => {
  const { caller } = context.switchToHttp().getRequest<TwilioRequest>();
  if (!caller) throw new Error('A route with @Caller() needs the TwilioGuard');
  return caller;
});

/**
 * Basic authentication: the Account SID, or the SID of an API key (`SK…`), and an API key as the
 * password.
 */
@Injectable()
class TwilioGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly apiKeys: ApiKeys,
    private readonly rateLimits: ApiRateLimits,
    private readonly places: AccountRequests,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<TwilioRequest>();
    const credentials = basicOf(request);
    if (!credentials) throw new TwilioError(20_003, 401, 'Authenticate');
    const { user, password: secret } = credentials;
    const [key, address] = [this.apiKeys.parse(secret), request.ip];
    const reply = http.getResponse<FastifyReply>();
    await this.rateLimits.takeKey(key, reply);
    const scope = this.reflector.get<KeyScope>('scope', context.getHandler());
    const account = await this.apiKeys.authenticate(key, address, scope);
    const { accountId } = account;
    const sid = accountSidOf(accountId);
    // The SID of another account is answered like a wrong token.
    const [named, caller] = [request.params.accountSid ?? '', user].map(plainTyped);
    if (named !== sid || (caller !== sid && !/^SK[0-9a-f]{32}$/.test(caller ?? '')))
      throw new TwilioError(20_003, 401, 'Authenticate');
    const token = request.headers['i-twilio-idempotency-token'];
    const idempotencyKey = typeof token === 'string' && token !== '' ? token : undefined;
    if (idempotencyKey !== undefined && idempotencyKey.length > limits.idempotencyKeyCharactersMax)
      throw unsupported('I-Twilio-Idempotency-Token is too long.');
    request.caller = { key, secret, ...account, address, idempotencyKey, context: requestContextOf(request) };
    if (!this.reflector.get(Batched, context.getHandler())) await takePlace(this.places, accountId, request, reply);
    return true;
  }
}

/** Maps every error to Twilio's shape. */
@Catch()
class TwilioErrors implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const failure = this.failureOf(error, http.getRequest<FastifyRequest>());
    const reply = http.getResponse<FastifyReply>();
    if (failure instanceof DomainError && failure.retryAfterSeconds !== undefined)
      reply.header('Retry-After', String(failure.retryAfterSeconds));
    const { status, body } = twilioError(failure);
    void reply.header('Cache-Control', 'no-store').status(status).send(body);
  }

  private failureOf(error: unknown, { id }: FastifyRequest): DomainError | TwilioError {
    if (error instanceof TwilioError) return error;
    if (error instanceof DomainError && error.status < 500) return error;
    this.logger.error({ requestId: id, err: error }, 'request failed');
    if (error instanceof DomainError) return error;
    return isDatabaseUnavailable(error)
      ? new DomainError('unavailable', 'The service is temporarily unavailable. Try again.', { cause: error })
      : new DomainError('internal', 'Something went wrong on our side. You were not charged.', { cause: error });
  }
}

const text = z.string().optional();
/**
 * Parameters of a new message. `From` or `MessagingServiceSid` names a number or a pool of an
 * account with numbers; for any other account the service chooses the sender.
 */
const createFields = z.strictObject({
  To: text,
  Body: text,
  From: text,
  MessagingServiceSid: text,
  SendAt: text,
  ScheduleType: text,
  ValidityPeriod: text,
  SmartEncoded: z.enum(['true', 'false']).optional(),
  StatusCallback: text,
  /** A form repeats the field. */
  MediaUrl: z.union([z.string(), z.array(z.string())]).optional(),
});
/** All files of a message fit on one page. */
const mediaListFields = z.strictObject({
  PageSize: text,
  Page: text,
  PageToken: text,
  DateCreated: text,
  'DateCreated<': text,
  'DateCreated>': text,
});
const updateFields = z.strictObject({ Status: z.literal('canceled') });
const listFields = z.strictObject({
  To: text,
  PageSize: text,
  Page: text,
  PageToken: text,
  DateSent: text,
  'DateSent<': text,
  'DateSent>': text,
});

/**
 * POST and GET /2010-04-01/Accounts/{Sid}/Messages.json and /Messages/{Sid}.json, for programs that
 * use Twilio's SDK.
 */
@Controller('2010-04-01/Accounts/:accountSid')
@UseGuards(TwilioGuard)
@UseFilters(TwilioErrors)
export class TwilioMessagesController {
  constructor(
    private readonly sendMessage: SendMessage,
    private readonly messages: Messages,
    private readonly cancelMessage: CancelMessage,
    private readonly callbacks: MessageCallbacks,
    private readonly directory: NumberDirectory,
  ) {}

  @Post('Messages.json')
  @HttpCode(201)
  @Scope('send')
  @Batched(true)
  async create(@Caller() caller: TwilioCaller, @Body() body: unknown): Promise<object> {
    const fields = parsed(createFields, body);
    const { To: to, Body: message } = fields;
    if (!to) throw new TwilioError(21_604, 400, "A 'To' phone number is required.");
    const media = mediaOf(fields.MediaUrl);
    if (!message && !media) throw new TwilioError(21_602, 400, 'Message body is required.');
    if (!fields.From && !fields.MessagingServiceSid)
      throw new TwilioError(21_603, 400, "A 'From' or 'MessagingServiceSid' is required.");
    const { key, secret, address, context, idempotencyKey, accountId } = caller;
    const from = await this.fromOf(accountId, fields.From || fields.MessagingServiceSid);
    const options = { ...optionsOf(fields), ...(from !== undefined && { from }) };
    const url = fields.StatusCallback && pasted(fields.StatusCallback);
    const fault = url && this.callbacks.urlFault(url);
    if (fault) throw new TwilioError(21_609, 400, `The 'StatusCallback' URL is not valid: ${fault}`);
    const sent = await this.sendMessage.send({
      key,
      address,
      context,
      to,
      text: message ?? '',
      options,
      media,
      reference: undefined,
      idempotencyKey,
      callback: url ? this.callbacks.prepare({ format: 'twilio', url, key, keyText: secret }) : undefined,
    });
    const view = sent.test
      ? {
          ...delivered,
          message_id: sent.messageId,
          to: parseRecipient(to)?.e164 ?? to,
          from: null,
          message: sent.body,
          status: sent.sendAt ? ('scheduled' as const) : ('queued' as const),
          segments: sent.segments,
          ...(sent.files && { kind: 'mms' as const, media: [...sent.files] }),
          created_at: new Date().toISOString(),
          sent_at: null,
          finished_at: null,
        }
      : await this.messages.find(accountId, sent.messageId);
    return messageResource(accountSidOf(accountId), view, fields.MessagingServiceSid || null);
  }

  @Get('Messages.json')
  @Scope('read')
  async list(@Caller() { key, accountId }: ApiAccount, @Query() query: unknown): Promise<object> {
    const fields = parsed(listFields, query);
    const size = wholeNumber('PageSize', fields.PageSize, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX);
    const page = wholeNumber('Page', fields.Page, 0, Number.MAX_SAFE_INTEGER);
    const found = key.test
      ? { messages: [delivered], next: null }
      : await this.pageOf(accountId, size, filterOf(fields), fields.PageToken);
    const sid = accountSidOf(accountId);
    const uri = (number: number, token?: string) => {
      const kept = Object.entries({ ...fields, PageSize: String(size), Page: String(number), PageToken: token });
      const pairs = kept.filter((pair): pair is [string, string] => pair[1] !== undefined);
      return `${messagesUri(sid)}.json?${new URLSearchParams(pairs)}`;
    };
    return {
      messages: found.messages.map((message) => messageResource(sid, message)),
      page,
      page_size: size,
      start: page * size,
      end: page * size + Math.max(0, found.messages.length - 1),
      first_page_uri: uri(0),
      next_page_uri: found.next === null ? null : uri(page + 1, found.next),
      previous_page_uri: null,
      uri: uri(page, fields.PageToken),
    };
  }

  @Get('Messages/:file')
  @Scope('read')
  async find(@Caller() { key, accountId }: ApiAccount, @Param('file') file: string): Promise<object> {
    const sid = sidOf(file);
    const view = key.test ? { ...delivered, message_id: sid } : await this.messages.find(accountId, sid);
    return messageResource(accountSidOf(accountId), view);
  }

  /** The files of a message, as `client.messages(sid).media.list()` reads them. */
  @Get('Messages/:sid/Media.json')
  @Scope('read')
  async listMedia(
    @Caller() { key, accountId }: ApiAccount,
    @Param('sid') sid: string,
    @Query() query: unknown,
  ): Promise<object> {
    parsed(mediaListFields, query);
    const view = key.test ? { ...delivered, message_id: sid } : await this.messages.find(accountId, sid);
    return mediaList(accountSidOf(accountId), view);
  }

  /** One file of a message. */
  @Get('Messages/:sid/Media/:file')
  @Scope('read')
  async findMedia(
    @Caller() { key, accountId }: ApiAccount,
    @Param('sid') sid: string,
    @Param('file') file: string,
  ): Promise<object> {
    const view = key.test ? { ...delivered, message_id: sid } : await this.messages.find(accountId, sid);
    const found = mediaList(accountSidOf(accountId), view).media_list.find((one) => one.sid === sidOf(file));
    if (found) return found;
    throw new TwilioError(20_404, 404, 'The requested resource was not found: the message has no such file.');
  }

  /** Cancels a message; nothing else of a message can be changed. */
  @Post('Messages/:file')
  @HttpCode(200)
  @Scope('send')
  async update(
    @Caller() { key, accountId, context }: ApiAccount,
    @Param('file') file: string,
    @Body() body: unknown,
  ): Promise<object> {
    const sid = sidOf(file);
    parsed(updateFields, body);
    const accountSid = accountSidOf(accountId);
    if (key.test) return messageResource(accountSid, { ...canceled, message_id: sid });
    const message = await this.cancelMessage.cancel(accountId, sid, context);
    return messageResource(accountSid, await this.messages.viewOf(message));
  }

  @Delete('Messages/:file')
  @Scope('send')
  remove(@Res() _reply: FastifyReply): never {
    throw new TwilioError(20_004, 405, 'Messages cannot be deleted one by one. The dashboard erases a recipient.');
  }

  /**
   * Undefined for a sender that the account never had here: programs still name senders of Twilio,
   * also after the account has bought numbers here. Former senders are returned, although they
   * cannot send: another sender must not take their place. A pool is also named like Twilio's
   * messaging services: MG and the 32 digits of its id.
   */
  private async fromOf(accountId: string, named: string | undefined): Promise<string | undefined> {
    if (!named) return undefined;
    const from = pasted(named);
    if (numberIdFromPublic(from) !== undefined || poolIdFromPublic(from) !== undefined) return from;
    const { numbers, pools } = await this.directory.ofAccount(accountId);
    const service = /^MG([0-9a-f]{32})$/i.exec(from)?.[1];
    const poolId = service && poolIdFromPublic(`pool_${service}`);
    if (poolId && pools.some(({ id }) => id === poolId)) return `pool_${service}`;
    const number = numberOrSender(from);
    const isOurs =
      numbers.some((own) => own.number === from || own.number === number) ||
      (await this.directory.hasHad(accountId, number));
    return isOurs ? from : undefined;
  }

  /** Our pages have a fixed size, so a page of Twilio's may need several. */
  private async pageOf(
    accountId: string,
    size: number,
    filter: Parameters<Messages['list']>[3],
    token: string | undefined,
  ): Promise<{ messages: MessageView[]; next: string | null }> {
    const messages: MessageView[] = [];
    let cursor: string | null | undefined = token;
    while (messages.length < size && cursor !== null) {
      const part = await this.messages.list(accountId, cursor, undefined, filter);
      messages.push(...part.messages);
      cursor = part.nextCursor;
      // A search stops early; the client continues.
      if (part.messages.length === 0) break;
    }
    if (messages.length <= size) return { messages, next: cursor ?? null };
    const shown = messages.slice(0, size);
    return { messages: shown, next: shown.at(-1)?.message_id ?? null };
  }
}

/** Throws an error that names the first invalid or unsupported parameter. */
function parsed<T>(schema: z.ZodType<T>, fields: unknown): T {
  const result = schema.safeParse(fields ?? {}, { error: faultText });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === 'unrecognized_keys')
    throw unsupported(`Not supported: ${issue.keys.slice(0, 5).join(', ')}. Nothing was sent or changed.`);
  if (!issue?.path.length) throw unsupported('The body is neither a JSON object nor a form.');
  throw unsupported(`${issue.path.join('.')}: ${issue.message}.`);
}

/** Throws Twilio's errors for too many URLs, and for an invalid URL. */
function mediaOf(given: string | readonly string[] | undefined): MessageMediaOptions | undefined {
  const urls = (typeof given === 'string' ? [given] : (given ?? [])).filter((url) => url !== '').map(pasted);
  if (urls.length === 0) return undefined;
  if (urls.length > limits.messageMediaMax)
    throw new TwilioError(21_623, 400, `Number of media files exceeds allowed limit: ${limits.messageMediaMax}.`);
  if (!urls.every((url) => /^https?:\/\//i.test(url) && parsedUrl(url)))
    throw new TwilioError(21_620, 400, "Invalid media URL(s): each 'MediaUrl' begins with http:// or https://.");
  return { references: urls.map((url) => ({ url })), fallback: 'refuse', transcode: true };
}

function optionsOf({ SendAt, ScheduleType, ValidityPeriod, SmartEncoded }: z.infer<typeof createFields>) {
  if ((SendAt === undefined) !== (ScheduleType === undefined) || (ScheduleType ?? 'fixed') !== 'fixed')
    throw new TwilioError(35_111, 400, "Send 'SendAt' together with 'ScheduleType', which is 'fixed'.");
  const sendAt = SendAt === undefined ? undefined : parseInstant(SendAt);
  if (SendAt !== undefined && !sendAt)
    throw new TwilioError(35_114, 400, "'SendAt' is a date and time (ISO 8601), YYYY-MM-DDThh:mm:ssZ.");
  const validitySeconds =
    ValidityPeriod === undefined ? undefined : wholeNumber('ValidityPeriod', ValidityPeriod, 0, validitySecondsMax);
  if (validitySeconds !== undefined && validitySeconds < validitySecondsMin)
    throw unsupported(`ValidityPeriod: a whole number from ${validitySecondsMin} to ${validitySecondsMax}.`);
  return {
    ...(sendAt && { sendAt }),
    ...(validitySeconds !== undefined && { validitySeconds }),
    ...(SmartEncoded === 'true' && { encoding: 'smart' as const }),
  };
}

function wholeNumber(name: string, given: string | undefined, fallback: number, max: number): number {
  if (given === undefined) return fallback;
  const number = numberOfDigits(given);
  if (number <= max) return number;
  throw unsupported(`${name}: a whole number up to ${max}.`);
}

function sidOf(file: string): string {
  return file.endsWith('.json') ? file.slice(0, -'.json'.length) : file;
}

const DAY_MS = 86_400_000;

/** Messages by recipient and by the day or time of their acceptance. */
function filterOf(fields: z.infer<typeof listFields>): Parameters<Messages['list']>[3] {
  const { To, DateSent, 'DateSent<': before, 'DateSent>': after } = fields;
  if (!To && !DateSent && !before && !after) return undefined;
  const recipient = To ? parseRecipient(To)?.e164 : null;
  if (recipient === undefined) throw new TwilioError(21_211, 400, `The 'To' number ${To} is not a valid phone number.`);
  const since = DateSent ?? after;
  const until = DateSent ?? before;
  return {
    status: null,
    reason: null,
    recipient,
    reference: null,
    since: since === undefined ? null : timeOf('DateSent', since),
    until: until === undefined ? null : endOf(until),
  };
}

/** A date is a day in UTC. */
function timeOf(name: string, given: string): Date {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(given) ? parseInstant(`${given}T00:00:00Z`) : parseInstant(given);
  if (time) return time;
  throw unsupported(`${name}: a date, YYYY-MM-DD, or a date and time with an offset.`);
}

function endOf(given: string): Date {
  const time = timeOf('DateSent', given);
  return given.includes('T') ? time : new Date(time.getTime() + DAY_MS);
}
