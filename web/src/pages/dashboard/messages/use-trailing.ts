import { useEffect, useRef } from 'react';

/** Answers what asks for `run`: it is called once within `afterMs`, however often it is asked for, while the view is shown. */
export function useTrailing(run: () => void, afterMs: number): () => void {
  const timer = useRef<number>(undefined);
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(
    () => () => {
      window.clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return () => {
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, afterMs);
  };
}
