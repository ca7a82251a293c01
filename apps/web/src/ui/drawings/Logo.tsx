import { logo } from './Drawings.css.ts'

export function Logo({ size = 20 }: { size?: 20 | 40 }) {
  return (
    <svg className={logo} width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
      <rect width="20" height="20" rx="5" fill="var(--text)" />
      <path d="M4 13a9 9 0 0 1 9-9v9Z" fill="var(--canvas)" />
      <rect x="4" y="14" width="12" height="2" fill="var(--canvas)" />
    </svg>
  )
}
