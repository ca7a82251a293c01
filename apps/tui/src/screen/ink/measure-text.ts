import stringWidth from './width.ts'

/** Replaces Ink's version, which caches every text forever. */
export default function measureText(text: string): { width: number; height: number } {
  if (text === '') return { width: 0, height: 0 }
  const lines = text.split('\n')
  return { width: lines.reduce((widest, line) => Math.max(widest, stringWidth(line)), 0), height: lines.length }
}
