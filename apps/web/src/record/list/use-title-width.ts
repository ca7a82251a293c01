import type { Resource } from '@qd/core/define'
import { titleOf } from '@qd/core/define'
import { useMemo } from 'react'
import { records } from '../../base/state/stores.ts'
import { fonts } from '../../base/theme/tokens.ts'

/** px around a name: padding of its cell, the mark of its state and the gap behind it. */
const around = 12 + 16 + 8

let pen: CanvasRenderingContext2D | null = null
const signs = new Map<string, number>()

function measured(text: string): number {
  if (!pen) {
    pen = document.createElement('canvas').getContext('2d')
    if (pen) pen.font = `500 13px ${fonts.sans}`
  }
  return pen?.measureText(text).width ?? 0
}

/** px of the name by its signs, each of which is measured once: to measure a thousand names takes longer than to draw the page. */
function roughWidth(text: string): number {
  let width = 0
  for (const sign of text) {
    const known = signs.get(sign) ?? measured(sign)
    signs.set(sign, known)
    width += known
  }
  return width
}

/** px that the longest name of these records needs in a table. */
export function useTitleWidth(resource: Resource, ids: readonly number[]): number {
  return useMemo(() => {
    let longest = ''
    let widest = 0
    for (const id of ids) {
      const row = records.peek(resource.name, id)
      const name = row ? titleOf(resource, row) : ''
      const width = roughWidth(name)
      if (width > widest) [widest, longest] = [width, name]
    }
    // Signs that stand beside each other may be wider or narrower than each by itself.
    return Math.max(measured(longest), widest) + around
  }, [resource, ids])
}
