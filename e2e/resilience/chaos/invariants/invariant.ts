/** Something that must hold of every one of its kind: how many were looked at, and the ids of those of which it does not. */
export interface Invariant {
  readonly title: string;
  readonly checked: number;
  readonly broken: readonly string[];
}

/** Looks at each. `fault` says what is wrong with one, with its ids, or undefined. */
export function holdsOf<T>(title: string, all: readonly T[], fault: (one: T) => string | undefined): Invariant {
  const broken = all.flatMap((one) => fault(one) ?? []);
  return { title, checked: all.length, broken };
}

/** Everything in lists, by a name. */
export function groupedBy<T>(all: readonly T[], nameOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const name = nameOf(one);
    const group = groups.get(name);
    if (group) group.push(one);
    else groups.set(name, [one]);
  }
  return groups;
}
