import { type CSSProperties, type RefObject, useState } from 'react'

interface Room {
  placement: 'bottom start' | 'top start'
  maxHeight: number
  style: CSSProperties
}

const enough = 160
const apart = 8

/** Opens a list as wide as its box, below it if there is room above the form’s buttons, else above it. */
export function useRoom(box: RefObject<HTMLElement | null>) {
  const [room, setRoom] = useState<Room | null>(null)
  return {
    onOpenChange(isOpen: boolean) {
      if (isOpen && box.current) setRoom(roomOf(box.current))
    },
    popover: { triggerRef: box, offset: 4, shouldFlip: room === null, ...room },
  }
}

function roomOf(box: HTMLElement): Room {
  const { top, bottom, width } = box.getBoundingClientRect()
  const foot = box.closest('[role="dialog"], main')?.querySelector('[data-foot]')?.getBoundingClientRect()
  // A footer above the box belongs to something else.
  const end = foot && foot.top > bottom ? foot.top : innerHeight
  const below = end - bottom - apart
  const above = top - apart
  const isBelow = below >= Math.min(enough, above)
  return {
    placement: isBelow ? 'bottom start' : 'top start',
    maxHeight: Math.max(0, isBelow ? below : above),
    style: { '--trigger-width': `${width}px` } as CSSProperties,
  }
}
