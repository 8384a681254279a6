import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { ask } from '../../testkit/ask.js';
import type { CarriedFile } from '../../testkit/carrier.js';
import type { Bench } from '../bench.js';
import { withProduct, type Product } from '../product/product.js';
import { Receivers } from '../product/receivers.js';
import { peakMb, residentMb } from '../resources.js';

const photos = 24;
/** Twelve million pixels, as phones take them. */
const [width, height] = [4_000, 3_000];
const ourNumber = '+15005550006';
const people = ['+14155552671', '+14155552672'] as const;
const storeBoundMs = 300_000;
const thumbnailMsMax = 150;
/** Memory for one photo being decoded, and for five concurrent copies. */
const growthMbMax = 100;

/** Photos and large files in replies: the time of a thumbnail, and the memory of the worker. */
export async function measureMedia(bench: Bench): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pennytext-bench-media-'));
  const receivers = await Receivers.start();
  try {
    const wanted = { accounts: 2, settings: { MEDIA_DIR: folder } };
    await withProduct(bench, wanted, async (product) => {
      // Without a URL an account receives no replies.
      await product.prepared.client.query(
        'INSERT INTO webhook_endpoints (account_id, url) SELECT id, $1 FROM accounts',
        [receivers.urlOf(0, 'well')],
      );
      await product.startServer();
      await product.startSandbox();
      const worker = await product.startWorker();
      for (const [n, to] of people.entries())
        await ask(`${product.url}/api/sendsms`, { to, message: 'Hello', apikey: product.prepared.apiKeys[n] });
      await product.untilSettled();
      const restMb = await residentMb(worker.pid);
      await measurePhotos(bench, product);
      const files = Array.from({ length: 10 }, (): CarriedFile => ({ sample: 'zeros' }));
      await product.carrier.reply(people[1], ourNumber, '', files);
      await untilStored(product, photos + files.length);
      const growth = peakMb(worker.pid) - restMb;
      const note = `${photos} photos one after the other, then ten files of 10 MB at once`;
      bench.report.figure('worker, above its memory at rest', growth, 'MB', { goal: { below: growthMbMax }, note });
    });
  } finally {
    receivers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measurePhotos(bench: Bench, product: Product): Promise<void> {
  const noise = { type: 'gaussian', mean: 128, sigma: 15 } as const;
  const photo = await sharp({ create: { width, height, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 85 })
    .toBuffer();
  const file: CarriedFile = { type: 'image/jpeg', data: photo.toString('base64') };
  const startedAtMs = performance.now();
  for (let sent = 0; sent < photos; sent += 1) await product.carrier.reply(people[0], ourNumber, 'Look', [file]);
  await untilStored(product, photos);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const { count, sum } = await thumbnails(product);
  bench.report.check('every photo has a thumbnail', count === photos, `${count} of ${photos}`);
  const note = `${photos} photos of ${width} × ${height}, ${(photo.length / 1e6).toFixed(1)} MB each, mean`;
  bench.report.figure('thumbnail', (sum / count) * 1_000, 'ms', { goal: { below: thumbnailMsMax }, note });
  bench.report.figure('photos from reply to store', photos / seconds, 'per second');
}

async function untilStored(product: Product, files: number): Promise<void> {
  const count = async () => {
    const { rows } = await product.prepared.client.query<{ files: number }>(
      `SELECT count(*)::int AS files FROM media WHERE state = 'stored'`,
    );
    return (rows[0]?.files ?? 0) >= files;
  };
  await product.until(`${files} files are stored`, count, storeBoundMs, 50);
}

/** Number of the thumbnails that the worker has made, and their total time in seconds. */
async function thumbnails({ workerUrl }: Product): Promise<{ count: number; sum: number }> {
  const text = await (await fetch(`${workerUrl}/metrics`)).text();
  const value = (what: string) => {
    const name = `pennytext_media_thumbnail_duration_seconds_${what}`;
    const [, found] = new RegExp(`^${name}\\{[^}]*outcome="made"[^}]*\\} (\\S+)$`, 'm').exec(text) ?? [];
    return Number(found ?? 0);
  };
  return { count: value('count'), sum: value('sum') };
}
