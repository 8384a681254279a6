import { useEffect, useState } from 'react';

const CHARACTER_MS = 20;

/** Number of characters, up to `length`, that are typed after `elapsedMs`. */
export function typedAfter(elapsedMs: number, length: number): number {
  return Math.min(Math.floor(elapsedMs / CHARACTER_MS), length);
}

/**
 * Types a text: returns how many characters are visible, and restarts when `text` changes.
 * Undefined in the built page. With reduced motion, the whole text appears at once.
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
