/** Modes of sharing a country's messages among its routes. */
export const routeModes = ['weights', 'cheapest', 'best'] as const;
export type RouteMode = (typeof routeModes)[number];

/** Senders of a carrier that its route uses: any, or only the country's own senders. */
export const senderPolicies = ['any', 'own'] as const;
export type SenderPolicy = (typeof senderPolicies)[number];

/** A route that is open: active, of a carrier that is configured. */
export interface OpenRoute {
  /** Number of the carrier; a country has one route per carrier. */
  readonly carrier: number;
  /** Present share of the country's messages, 0 to 100. */
  readonly weight: number;
  readonly restingWeight: number;
  /** Cost; null if unknown, which counts as the most expensive. */
  readonly costMicrousd: number | null;
  /** The carrier takes nothing from us at the moment. */
  readonly isPaused: boolean;
  /** Delivered share of the last hour's messages, 0 to 1; null while there are too few. */
  readonly deliveredShare: number | null;
}

type ShareOf = (route: OpenRoute) => number;

/**
 * Returns the routes that may take a message: the chosen route, then the others, best first. A
 * route of weight 0 or of a paused carrier takes none unless all are like that: then the resting
 * weights of unpaused routes count, or last the weights of paused routes. `point`, from 0 to below
 * 1, decides among the weights: a recipient with the same point changes route only when its place
 * among the weights does.
 */
export function rankRoutes<Route extends OpenRoute>(
  routes: readonly Route[],
  mode: RouteMode,
  point: number,
): readonly Route[] {
  const share = shareOf(routes);
  const taking = routes.filter((route) => share(route) > 0);
  const cost = ({ costMicrousd }: Route) => costMicrousd ?? Number.MAX_SAFE_INTEGER;
  const byCost = (a: Route, b: Route) => cost(a) - cost(b);
  const byShare = (a: Route, b: Route) => share(b) - share(a);
  const byCarrier = (a: Route, b: Route) => a.carrier - b.carrier;
  const byDelivered = (a: Route, b: Route) => (percentOf(b) ?? 0) - (percentOf(a) ?? 0);
  switch (mode) {
    case 'cheapest':
      return taking.toSorted((a, b) => byCost(a, b) || byShare(a, b) || byCarrier(a, b));
    case 'best':
      if (taking.some((route) => percentOf(route) === null)) return rankRoutes(routes, 'weights', point);
      return taking.toSorted((a, b) => byDelivered(a, b) || byCost(a, b) || byShare(a, b) || byCarrier(a, b));
    case 'weights': {
      const chosen = routeAt(taking.toSorted(byCarrier), share, point);
      const others = taking.filter((route) => route !== chosen);
      const ranked = others.toSorted((a, b) => byShare(a, b) || byCost(a, b) || byCarrier(a, b));
      return chosen ? [chosen, ...ranked] : ranked;
    }
  }
}

/** Shares are compared in whole percent. */
function percentOf({ deliveredShare }: OpenRoute): number | null {
  return deliveredShare === null ? null : Math.round(deliveredShare * 100);
}

function shareOf(routes: readonly OpenRoute[]): ShareOf {
  const weight: ShareOf = (route) => route.weight;
  const restingWeight: ShareOf = (route) => route.restingWeight;
  const whilePaused = (share: ShareOf, isPaused: boolean): ShareOf => {
    return (route) => (route.isPaused === isPaused ? share(route) : 0);
  };
  const shares = [false, true].flatMap((isPaused) => [
    whilePaused(weight, isPaused),
    whilePaused(restingWeight, isPaused),
  ]);
  return shares.find((share) => routes.some((route) => share(route) > 0)) ?? (() => 1);
}

/** Returns the route whose part of the whole contains the point; undefined without routes. */
function routeAt<Route>(routes: readonly Route[], share: (route: Route) => number, point: number): Route | undefined {
  const whole = routes.reduce((sum, route) => sum + share(route), 0);
  let left = point * whole;
  for (const route of routes) {
    left -= share(route);
    if (left < 0) return route;
  }
  return routes.at(-1);
}
