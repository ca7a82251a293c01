import { keycap, keys } from './Keycap.css.ts'

/** `caps` are already in the platform’s notation. */
export function Keycap({ caps, className = '' }: { caps: readonly string[]; className?: string }) {
  return (
    <span className={`${keys} ${className}`} aria-hidden="true">
      {caps.map((cap, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a chord may name a key twice ("g g")
        <kbd key={place} className={keycap}>
          {cap}
        </kbd>
      ))}
    </span>
  )
}
