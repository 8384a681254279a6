import { type ClipboardEvent, type DragEvent, useState } from 'react';

/** Takes files that are dropped on an element or pasted into it. */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false);
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
  const target = {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      onFiles([...event.dataTransfer.files]);
    },
    onPaste: (event: ClipboardEvent) => {
      const { files, types } = event.clipboardData;
      // A copied cell of a table is text with a picture of it.
      if (files.length === 0 || types.includes('text/plain')) return;
      event.preventDefault();
      onFiles([...files]);
    },
  };
  return { isOver, target };
}
