import { Controller, Get, Param, Query, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mediaQuery } from '#contract/media.js';
import { MediaLinks } from '#core/media/media-links.js';
import { MediaStore } from '#core/media/media-store.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { mediaIdFromPublic, unknownIdText } from '#core/rules/ids.js';
import { sendMedia } from '../http/media-answer.js';
import { Caller, type ApiAccount } from './api-caller.js';
import { ApiKeyGuard, ApiQuery } from './api-key.guard.js';
import { exampleMedia } from './example-media.js';

/** GET /api/media/{media_id}: a file of a message. A test key gets a small picture. */
@Controller('api')
@UseGuards(ApiKeyGuard)
export class MediaController {
  constructor(private readonly mediaStore: MediaStore) {}

  @Get('media/:mediaId')
  @ApiQuery({ schema: mediaQuery, scope: 'read' })
  async download(
    @Caller() { key, accountId }: ApiAccount,
    @Param('mediaId') publicId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (key.test) return void reply.headers(exampleMedia.headers).send(exampleMedia.bytes);
    const id = mediaIdFromPublic(publicId);
    const media = id && (await this.mediaStore.find(accountId, id));
    if (!media) throw new DomainError('media_not_found', unknownIdText('file', publicId));
    await sendMedia(media, { store: this.mediaStore, request, reply });
  }
}

/** GET /m/{media_id}: the same file by a signed link, for everyone who has the link. */
@Controller('m')
export class MediaLinksController {
  constructor(
    private readonly mediaStore: MediaStore,
    private readonly mediaLinks: MediaLinks,
  ) {}

  @Get(':mediaId')
  async download(
    @Param('mediaId') publicId: string,
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const link = this.mediaLinks.read(publicId, query);
    if (link.kind === 'ended')
      throw new DomainError(
        'media_expired',
        'This link has ended. The file may still be there: ask who sent the link.',
      );
    const media = link.kind === 'valid' && (await this.mediaStore.findLinked(link.id));
    if (!media) throw new DomainError('media_not_found', 'This link is not complete, or not one of ours.');
    await sendMedia(media, { store: this.mediaStore, request, reply });
  }
}
