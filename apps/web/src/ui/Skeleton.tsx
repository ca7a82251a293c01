import { skeleton } from './Page.css.ts'

export function Skeleton({ width }: { width: number }) {
  return <span className={skeleton} style={{ width }} aria-hidden="true" />
}
