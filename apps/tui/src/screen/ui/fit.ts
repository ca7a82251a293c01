import { cutTo, padTo } from '../../base/output/width.ts'

/** The text as exactly so many cells: cut with `…`, or filled with blanks. */
export function fitText(text: string, cells: number, align: 'left' | 'right' = 'left'): string {
  return cells <= 0 ? '' : padTo(cutTo(text, cells, '…'), cells, align)
}
