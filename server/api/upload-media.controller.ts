import { Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.js';
import { uploadMediaBody, type UploadMediaAnswer } from '#contract/message-media.js';
import { GivenFiles, type GivenFile } from '#core/messages/files/given-files.js';
import { TEST_FILE_ID } from '#core/messages/send/prepare-files.js';
import { publicMediaId } from '#core/rules/ids.js';
import { parseInput } from '../http/input.js';
import { uploadedFile } from '../http/multipart.js';
import { UnreadBody } from '../http/unread-body.js';
import { Caller, type ApiAccount } from './api-caller.js';
import { ApiKeyGuard, ApiUpload, required } from './api-key.guard.js';
import { Uploads } from './uploads.js';

const DAY_MS = 86_400_000;
const urlFields = uploadMediaBody.transform(required('url'));

/** POST /api/media: a file as multipart/form-data, or its URL. A test key stores nothing. */
@Controller('api')
@UseGuards(ApiKeyGuard)
export class UploadMediaController {
  constructor(
    private readonly givenFiles: GivenFiles,
    private readonly uploads: Uploads,
  ) {}

  @Post('media')
  @HttpCode(200)
  @ApiUpload(['send'])
  async upload(
    @Caller() caller: ApiAccount,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UploadMediaAnswer> {
    const file = await this.given(caller, request);
    if (file.replayed) reply.header('Idempotent-Replayed', 'true');
    return answerOf(file);
  }

  private given(caller: ApiAccount, request: FastifyRequest): Promise<GivenFile> {
    const { accountId, key, idempotencyKey } = caller;
    const owner = { accountId, isTest: key.test };
    const { body } = request;
    if (body instanceof UnreadBody && body.isMultipart)
      return this.givenFiles.upload(owner, contentOf(uploadedFile(body)), { idempotencyKey });
    const { url } = parseInput(urlFields, this.uploads.fieldsOf(request, caller));
    return this.givenFiles.fetch(owner, url, { idempotencyKey });
  }
}

async function* contentOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function answerOf({ id, type, bytes, sha256, expiresAt }: GivenFile): UploadMediaAnswer {
  const expires = expiresAt ?? new Date(Date.now() + limits.mediaKeptDays * DAY_MS);
  return {
    success: 'true',
    media_id: id === null ? TEST_FILE_ID : publicMediaId(id),
    type,
    bytes,
    sha256,
    expires_at: expires.toISOString(),
    ...(id === null && { test: true as const }),
  };
}
