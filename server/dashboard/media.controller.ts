import { Controller, Get, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { MediaStore } from '#core/media/media-store.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { mediaIdFromPublic } from '#core/rules/ids.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';
import { sendThumbnail } from '../http/media-answer.js';

/** GET /api/dashboard/media/{media_id}/thumbnail. Files themselves are opened by their signed links. */
@Controller('api/dashboard/media')
@UseGuards(SessionGuard)
export class DashboardMediaController {
  constructor(private readonly mediaStore: MediaStore) {}

  @Get(':mediaId/thumbnail')
  async thumbnail(
    @SignedIn() { accountId }: SessionAccount,
    @Param('mediaId') publicId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const id = mediaIdFromPublic(publicId);
    const media = id && (await this.mediaStore.find(accountId, id));
    if (!media) throw new DomainError('media_not_found', 'Your account has no such file.');
    await sendThumbnail(media, { store: this.mediaStore, request, reply });
  }
}
