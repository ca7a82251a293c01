import type { ReactNode } from 'react'
import { type AnyIcon, Icon } from './drawings/Icon.tsx'
import { banner, bannerText, note, noteIcon, noteTitle } from './Note.css.ts'

const icons = { plain: 'info', ok: 'check', warn: 'triangle-alert', bad: 'circle-alert' } as const satisfies Record<
  string,
  AnyIcon
>

export function Note({
  tone = 'plain',
  title,
  icon,
  children,
}: {
  tone?: 'plain' | 'ok' | 'warn' | 'bad'
  title?: string
  icon?: AnyIcon
  children?: ReactNode
}) {
  return (
    <div className={note[tone]} role={tone === 'bad' ? 'alert' : undefined}>
      <span className={noteIcon[tone]}>
        <Icon name={icon ?? icons[tone]} size={14} />
      </span>
      <div>
        {title && <b className={noteTitle}>{title}</b>}
        {children}
      </div>
    </div>
  )
}

export function Banner({
  tone,
  title,
  children,
  action,
}: {
  tone: 'warn' | 'bad'
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={banner[tone]} role="status">
      <span className={noteIcon[tone]} style={{ display: 'inline-flex' }}>
        <Icon name={tone === 'warn' ? 'triangle-alert' : 'circle-alert'} />
      </span>
      <b>{title}</b>
      <span className={bannerText}>{children}</span>
      {action}
    </div>
  )
}
