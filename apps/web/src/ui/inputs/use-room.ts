import { type CSSProperties, type RefObject, useState } from 'react'

/** What a popover is given so that it stands at its box and leaves the buttons of its form alone. */
interface Room {
  placement: 'bottom start' | 'top start'
  /** px. */
  maxHeight: number
  style: CSSProperties
}

/** Less room than this below a box, in px, and its list opens above. */
const enough = 160
/** px between a list and what stands beyond it. */
const apart = 8

/** Where the list of a box opens: as wide as the box, below it where there is room above the buttons of its form or window, else above it. */
export function useRoom(box: RefObject<HTMLElement | null>) {
  const [room, setRoom] = useState<Room | null>(null)
  return {
    /** To be told whenever the list opens or closes. */
    onOpenChange(isOpen: boolean) {
      if (isOpen && box.current) setRoom(roomOf(box.current))
    },
    popover: { triggerRef: box, offset: 4, shouldFlip: room === null, ...room },
  }
}

function roomOf(box: HTMLElement): Room {
  const { top, bottom, width } = box.getBoundingClientRect()
  const foot = box.closest('[role="dialog"], main')?.querySelector('[data-foot]')?.getBoundingClientRect()
  // A foot above the box belongs to something else.
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
