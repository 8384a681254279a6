import {
  type OptionalWebhookEvent,
  optionalWebhookEvents,
  type WebhookEventType,
  webhookEventTypes,
} from '#contract/webhooks.js';
import { eventGroups as titles } from '../../paths.js';

interface EventGroup {
  readonly title: string;
  readonly types: readonly WebhookEventType[];
}

/** Every event, in the group of its subject. */
export const eventGroups: readonly EventGroup[] = Object.entries(titles).map(([start, title]) => ({
  title,
  types: webhookEventTypes.filter((type) => type.startsWith(`${start}.`)),
}));

/** Whether an event can be turned off: all but `message.received`. */
export function isOptional(type: WebhookEventType): type is OptionalWebhookEvent {
  return optionalWebhookEvents.some((optional) => optional === type);
}
