import stringWidth from './width.ts'

/** Cells and lines that a text takes. Stock Ink keeps every text that was ever measured; this keeps none. */
export default function measureText(text: string): { width: number; height: number } {
  if (text === '') return { width: 0, height: 0 }
  const lines = text.split('\n')
  return { width: lines.reduce((widest, line) => Math.max(widest, stringWidth(line)), 0), height: lines.length }
}
