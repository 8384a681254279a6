import type { NumberCapability, NumberView } from '#contract/numbers.js';
import { limits } from '#contract/limits.js';
import { publicNumberId, publicPoolId } from '../rules/ids.js';
import type { NumberCapabilities } from './number-carrier.js';
import type { NumberRow } from './numbers.repository.js';

const DAY_MS = 86_400_000;

/** Returns the release time of a number whose rent stays unpaid. */
export function graceEnd(pastDueAt: Date): Date {
  return new Date(pastDueAt.getTime() + limits.numberGraceDays * DAY_MS);
}

/** A number as its account sees it, with the ids of its pools. */
export function numberViewOf(row: NumberRow, poolIds: readonly string[] = []): NumberView {
  return {
    number_id: publicNumberId(row.id),
    number: row.number,
    label: row.label,
    type: row.type,
    country: row.country,
    capabilities: row.canMms ? ['sms', 'mms'] : ['sms'],
    origin: row.origin,
    status: row.status,
    auto_renew: row.autoRenew,
    credits_per_month: row.creditsPerMonth,
    strangers_per_day: row.origin === 'purchase' ? row.strangersPerDay : null,
    renews_at: instant(row.status === 'released' ? null : row.renewsAt),
    past_due_since: instant(row.pastDueAt),
    releases_at: instant(releasesAt(row)),
    released_at: instant(row.releasedAt),
    filtered_at: instant(row.filteredAt),
    pools: poolIds.map(publicPoolId),
    created_at: row.createdAt.toISOString(),
  };
}

function releasesAt({ status, autoRenew, renewsAt, pastDueAt, releaseAt }: NumberRow): Date | null {
  if (status === 'releasing') return releaseAt;
  if (pastDueAt) return graceEnd(pastDueAt);
  if (status !== 'active' || autoRenew) return null;
  return releaseAt && renewsAt && releaseAt > renewsAt ? releaseAt : renewsAt;
}

function instant(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}

export function capabilityNames({ sms, mms }: NumberCapabilities): NumberCapability[] {
  return [...(sms ? ['sms' as const] : []), ...(mms ? ['mms' as const] : [])];
}
