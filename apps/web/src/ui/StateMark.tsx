import type { Tone } from '@qd/core/define'
import { type AnyIcon, Icon } from './drawings/Icon.tsx'
import { mark, tones, word, wordText } from './StateMark.css.ts'

const shapes = { ok: 'disc', plain: 'disc', warn: 'triangle', bad: 'square', muted: 'ring', accent: 'turning' } as const

/** Disc, triangle, square or ring by tone. Its label is the title and spoken, unless it stands beside the mark (`decorative`). */
export function StateMark({ tone, label, decorative = false }: { tone: Tone; label: string; decorative?: boolean }) {
  const named = decorative
    ? ({ 'aria-hidden': true } as const)
    : ({ role: 'img', 'aria-label': label, title: label } as const)
  return <span className={mark({ shape: shapes[tone] })} {...named} />
}

const resultIcons = {
  ok: 'check',
  plain: 'check',
  warn: 'triangle-alert',
  bad: 'x',
  muted: 'minus',
} as const satisfies Partial<Record<Tone, AnyIcon>>

/** A result in words with its icon. Healthy words stay quiet. `icon` overrides the tone’s. */
export function ResultWord({ tone, text, icon }: { tone: Tone; text: string; icon?: AnyIcon | undefined }) {
  return (
    <span className={word} {...(text === '' ? {} : { title: text })}>
      {tone === 'accent' ? (
        <span className={mark({ shape: 'turning' })} aria-hidden="true" />
      ) : (
        <span className={tones[tone]} style={{ display: 'inline-flex' }}>
          <Icon name={icon ?? resultIcons[tone]} size={14} />
        </span>
      )}
      <span className={`${wordText} ${tone === 'ok' ? tones.muted : tones[tone]}`}>{text}</span>
    </span>
  )
}
