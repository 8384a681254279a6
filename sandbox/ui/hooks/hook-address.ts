/** The address at which a hook takes requests. */
export function hookAddress(name: string): string {
  return `${window.location.origin}/hooks/in/${name}`;
}
