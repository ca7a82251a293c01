import type { Resource } from '@qd/core/define'
import { titleOf } from '@qd/core/define'
import { useMemo } from 'react'
import { records } from '../state/stores.ts'
import { fonts } from '../theme/tokens.ts'

/** px around a name: padding of its cell, the mark of its state and the gap behind it. */
const around = 12 + 16 + 8

let pen: CanvasRenderingContext2D | null = null
const known = new Map<string, number>()

function widthOf(text: string): number {
  const seen = known.get(text)
  if (seen !== undefined) return seen
  pen ??= document.createElement('canvas').getContext('2d')
  if (!pen) return 0
  pen.font = `500 13px ${fonts.sans}`
  const { width } = pen.measureText(text)
  known.set(text, width)
  return width
}

/** px that the longest name of these records needs in a table. */
export function useTitleWidth(resource: Resource, ids: readonly number[]): number {
  return useMemo(
    () =>
      ids.reduce((widest, id) => {
        const row = records.peek(resource.name, id)
        return row ? Math.max(widest, widthOf(titleOf(resource, row))) : widest
      }, 0) + around,
    [resource, ids],
  )
}
