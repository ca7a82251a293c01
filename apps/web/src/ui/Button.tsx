import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import { button, cap, quiet } from './Button.css.ts'
import { type AnyIcon, Icon } from './drawings/Icon.tsx'
import { Keycap } from './Keycap.tsx'

/** What every button may say. `reason`: why it cannot be used now; it stays focusable, is grey and says so. */
export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'isDisabled' | 'style'> {
  children: ReactNode
  icon?: AnyIcon | undefined
  /** The key that does the same, as caps in the platform's notation. */
  caps?: readonly string[] | undefined
  tone?: 'plain' | 'primary' | 'danger' | 'ghost' | 'bare' | 'delete'
  size?: 'normal' | 'small' | 'large'
  shape?: 'normal' | 'icon' | 'wide'
  reason?: string | null | undefined
  /** Shown by the browser when the pointer rests; the accessible name where the button has only an icon. */
  title?: string | undefined
  ref?: Ref<HTMLButtonElement>
}

/** A button with its icon and its key. */
export function Button({
  children,
  icon,
  caps,
  tone = 'plain',
  size = 'normal',
  shape = 'normal',
  reason = null,
  title,
  onPress,
  ...rest
}: ButtonProps) {
  const hint = reason ?? title
  return (
    <AriaButton
      {...rest}
      {...(reason === null && onPress ? { onPress } : {})}
      className={button({ tone, size, shape })}
      render={(props) => (
        <button
          {...props}
          data-tone={tone}
          {...(hint ? { title: hint } : {})}
          {...(reason === null ? {} : { 'aria-disabled': true })}
        />
      )}
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
    </AriaButton>
  )
}

/** A button that is only an icon: always named, with a title that says its key. */
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
