import * as css from './Mascot.css.ts'

/** Set by custom code (product spec, section 2). */
const isDisabled = () => Boolean((globalThis as { DisableAnimatedMan?: unknown }).DisableAnimatedMan)

/** The mascot of the sign-in page and empty lists. It nods and blinks unless reduced motion is set. */
export function Mascot({ size = 72 }: { size?: number }) {
  if (isDisabled()) return null
  return (
    <svg
      className={css.mascot}
      width={size}
      height={(size * 56) / 72}
      viewBox="0 0 72 56"
      aria-hidden="true"
      data-mascot
    >
      <rect className={css.deck} x="4" y="51" width="64" height="3" rx="1.5" />
      <path className={css.legs} d="M30 42v9M37 42v9" />
      <path className={css.body} d="M6 29c8 1 12-5 22-6 11-1 22 3 22 11 0 6-8 10-17 10-12 0-21-6-27-15Z" />
      <path className={css.wing} d="M15 31c8-6 18-6 26 0-6 7-19 8-26 0Z" />
      <g className={css.head}>
        <circle className={css.body} cx="47" cy="20" r="9" />
        <path className={css.beak} d="M55 19l10 2.5-10 3Z" />
        <circle className={css.eye} cx="50.5" cy="18.5" r="1.5" />
        <path className={css.cap} d="M38 14c0-6 4-8 10-8s9 3 9 7l-1 2c-6-2-12-2-18-1Z" />
      </g>
    </svg>
  )
}
