/** What a form says, once `line_items[0][price]=x` is taken apart. */
export type FormTree = string | readonly FormTree[] | { readonly [name: string]: FormTree };

interface Branch {
  readonly children: Map<string, Branch>;
  value: string | undefined;
}

const DEPTH_MAX = 8;

/** Reads a form with nested names, as Stripe's SDKs write it: `a[b]=1`, `list[0][c]=2`, `expand[]=d`. */
export function formTree(form: URLSearchParams): { readonly [name: string]: FormTree } {
  const root: Branch = { children: new Map(), value: undefined };
  for (const [name, value] of form) {
    let branch = root;
    for (const key of keysOf(name)) {
      // `expand[]` appends: each one gets the next free number.
      const at = key === '' ? String(branch.children.size) : key;
      let child = branch.children.get(at);
      if (child === undefined) branch.children.set(at, (child = { children: new Map(), value: undefined }));
      branch = child;
    }
    branch.value = value;
  }
  return objectOf(root);
}

function keysOf(name: string): string[] {
  const [, first = name, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  return [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, key = '']) => key)].slice(0, DEPTH_MAX);
}

function treeOf(branch: Branch): FormTree {
  if (branch.children.size === 0) return branch.value ?? '';
  const keys = [...branch.children.keys()];
  if (keys.every((key) => /^\d+$/.test(key))) return [...branch.children.values()].map(treeOf);
  return objectOf(branch);
}

// fromEntries defines its properties: a name such as `__proto__` stays a name.
function objectOf(branch: Branch): { readonly [name: string]: FormTree } {
  return Object.fromEntries([...branch.children].map(([key, child]) => [key, treeOf(child)]));
}
