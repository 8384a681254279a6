/** Parts that customers depend on. The worker measures each every minute. */
export const components = ['api', 'sending', 'webhooks', 'email'] as const;
export type Component = (typeof components)[number];

/** `unknown`: not measured within the last five minutes, or on that day. */
export const componentStates = ['operational', 'degraded', 'outage', 'unknown'] as const;
export type ComponentState = (typeof componentStates)[number];

/** Names for people: on the page and in the feed. Without zod, which a page need not load. */
export const componentNames: Readonly<Record<Component, string>> = {
  api: 'API',
  sending: 'Sending',
  webhooks: 'Webhooks',
  email: 'Email',
};

export const stateNames: Readonly<Record<ComponentState, string>> = {
  operational: 'Operational',
  degraded: 'Delayed',
  outage: 'Outage',
  unknown: 'Not measured',
};
