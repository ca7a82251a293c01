import { skeleton } from './Page.css.ts'

/** A grey bar where text will stand, `width` px wide. */
export function Skeleton({ width }: { width: number }) {
  return <span className={skeleton} style={{ width }} aria-hidden="true" />
}
