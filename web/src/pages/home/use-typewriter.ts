import { useEffect, useState } from 'react';

const CHARACTER_MS = 20;

/** How many characters of a text of this length are typed after so many milliseconds. */
export function typedAfter(elapsedMs: number, length: number): number {
  return Math.min(Math.floor(elapsedMs / CHARACTER_MS), length);
}

/**
 * Types a text: answers how many of its characters are there by now, and begins anew when `text` changes. `undefined` in the
 * built page, before the browser runs it. Who prefers reduced motion gets the whole at once.
 */
export function useTypewriter(text: string): number | undefined {
  const [typed, setTyped] = useState<{ text: string; characters: number }>();
  useEffect(() => {
    const { length } = text;
    const isWholeAtOnce = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const startedAt = performance.now();
    let frame = requestAnimationFrame(function type() {
      const characters = isWholeAtOnce ? length : typedAfter(performance.now() - startedAt, length);
      setTyped({ text, characters });
      if (characters < length) frame = requestAnimationFrame(type);
    });
    return () => cancelAnimationFrame(frame);
  }, [text]);
  if (!typed) return undefined;
  return typed.text === text ? typed.characters : 0;
}
