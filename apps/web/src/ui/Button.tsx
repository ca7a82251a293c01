import { type ComponentProps, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { button, cap, quiet } from './Button.css.ts'
import { type AnyIcon, Icon } from './drawings/Icon.tsx'
import { Keycap } from './Keycap.tsx'

export interface ButtonProps
  extends Omit<ComponentProps<'button'>, 'children' | 'className' | 'disabled' | 'onClick' | 'ref'> {
  children: ReactNode
  icon?: AnyIcon | undefined
  caps?: readonly string[] | undefined
  tone?: 'plain' | 'primary' | 'danger' | 'ghost' | 'bare' | 'delete'
  size?: 'normal' | 'small' | 'large'
  shape?: 'normal' | 'icon' | 'wide'
  reason?: string | null | undefined
  /** What it started is running; another press does nothing. */
  isPending?: boolean
  title?: string | undefined
  onPress?: (() => void) | undefined
  ref?: RefObject<HTMLButtonElement | null>
}

/** A held key must not press the button that the first press put below it. */
function pressOnce(event: KeyboardEvent): void {
  if (event.key !== 'Enter' && event.key !== ' ') return
  event.stopPropagation()
  if (event.repeat) event.preventDefault()
}

/** Not react-aria’s button, which would add 12 KB to the first load. */
export function Button({
  children,
  icon,
  caps,
  tone = 'plain',
  size = 'normal',
  shape = 'normal',
  reason = null,
  isPending = false,
  title,
  type = 'button',
  autoFocus = false,
  ref,
  onPress,
  onKeyDown,
  ...rest
}: ButtonProps) {
  const isUsable = reason === null && !isPending
  const own = useRef<HTMLButtonElement>(null)
  const element = ref ?? own
  // Not by the browser: that comes before the dialog around it is known to hold the focus, and one below would take it back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it appears
  useEffect(() => {
    if (autoFocus) element.current?.focus()
  }, [])
  return (
    <button
      {...rest}
      ref={element}
      type={isUsable ? type : 'button'}
      className={button({ tone, size, shape })}
      data-tone={tone}
      title={reason ?? title}
      aria-disabled={!isUsable || undefined}
      onClick={() => isUsable && onPress?.()}
      onKeyDown={(event) => {
        onKeyDown?.(event)
        pressOnce(event)
      }}
    >
      {icon && (
        <Icon
          name={icon}
          size={shape === 'icon' ? 16 : 14}
          className={tone === 'plain' || tone === 'bare' ? quiet : undefined}
        />
      )}
      {children}
      {caps && caps.length > 0 && <Keycap caps={caps} className={cap} />}
    </button>
  )
}

export function IconButton({
  label,
  icon,
  caps = [],
  ...rest
}: Omit<ButtonProps, 'children' | 'shape' | 'title' | 'icon'> & { label: string; icon: AnyIcon }) {
  return (
    <Button
      tone="ghost"
      {...rest}
      shape="icon"
      icon={icon}
      aria-label={label}
      title={caps.length ? `${label} (${caps.join(' ')})` : label}
    >
      {null}
    </Button>
  )
}
