<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Calls;

use Pennytext\Internal\Repeat;
use Pennytext\Internal\Transport;
use Pennytext\Model;

/** Calls of `$client->media`. */
final class Media
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Upload a file.
     *
     * Stores a picture or another file for messages, for 30 days: `multipart/form-data` with a part `file` and the
     * key as `Authorization: Bearer`, or its `url`, which is fetched.
     *
     * @param string|null $bytes The file, in place of `url`.
     * @param string|null $url Where the file is. It is fetched before the answer.
     * @param string|null $idempotencyKey Your own key, so that a repetition by another process is recognized too;
     *     random unless you set it.
     * @throws \Pennytext\PennytextException
     */
    public function upload(
        ?string $bytes = null,
        ?string $url = null,
        ?string $idempotencyKey = null,
    ): Model\UploadedMedia {
        return new Model\UploadedMedia($this->transport->call(
            'POST',
            '/api/media',
            body: [
                'url' => $url,
            ],
            file: $bytes,
            repeat: Repeat::Keyed,
            idempotencyKey: $idempotencyKey,
        ));
    }
}
