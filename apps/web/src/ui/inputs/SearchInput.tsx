import type { KeyboardEvent } from 'react'
import { Icon } from '../drawings/Icon.tsx'
import { box, faint, input } from './Field.css.ts'

export function SearchInput({
  label,
  value,
  onChange,
  isFirst = false,
  onKeyDown,
}: {
  label: string
  value: string
  onChange: (text: string) => void
  isFirst?: boolean
  onKeyDown?: (event: KeyboardEvent) => void
}) {
  return (
    <span className={box({ size: 'small' })}>
      <Icon name="search" size={14} className={faint} />
      <input
        type="text"
        className={input}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        value={value}
        // biome-ignore lint/a11y/noAutofocus: the caller's surface is opened to look for something
        autoFocus={isFirst}
        {...(onKeyDown ? { onKeyDown } : {})}
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  )
}
