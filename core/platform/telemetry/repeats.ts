const WINDOW_MS = 1_000;
/** Kinds of line that are tracked at a time; lines of further kinds are passed on as they come. */
const KINDS_MAX = 200;

/** Writes a line that stands for `suppressed` further lines. */
type WriteLine = (suppressed: number) => void;

interface Window {
  readonly timer: NodeJS.Timeout;
  /** Latest line of the window, and the number of lines; undefined before the first line. */
  latest: { readonly write: WriteLine; readonly count: number } | undefined;
}

/**
 * Passes on one line a second of each kind. The first line is written at once; lines that follow
 * within a second are counted, and at its end the latest of them is written with the number of the
 * others.
 */
export class Repeats {
  private readonly windows = new Map<string, Window>();

  pass(kind: string, write: WriteLine): void {
    const window = this.windows.get(kind);
    if (window) {
      window.latest = { write, count: (window.latest?.count ?? 0) + 1 };
      return;
    }
    write(0);
    if (this.windows.size < KINDS_MAX) this.open(kind);
  }

  /** Ends all windows now. */
  flush(): void {
    for (const [kind, { timer, latest }] of this.windows) {
      clearTimeout(timer);
      this.windows.delete(kind);
      latest?.write(latest.count - 1);
    }
  }

  private open(kind: string): void {
    const timer = setTimeout(() => {
      const latest = this.windows.get(kind)?.latest;
      this.windows.delete(kind);
      if (!latest) return;
      latest.write(latest.count - 1);
      this.open(kind);
    }, WINDOW_MS);
    timer.unref();
    this.windows.set(kind, { timer, latest: undefined });
  }
}
