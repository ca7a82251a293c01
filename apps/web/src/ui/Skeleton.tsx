import { style } from './Skeleton.css.ts'

/** A grey bar where text will stand, `width` px wide. */
export function Skeleton({ width }: { width: number }) {
  return <span className={style} style={{ width }} aria-hidden="true" />
}
