import { type Action, actionKey, type Resource } from '@qd/core/define'
import type { ReactNode } from 'react'
import { perform } from '../../act/perform/late.ts'
import { useCopied } from '../../base/hooks/use-copied.ts'
import { records } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { button } from '../../ui/Button.css.ts'
import { Icon } from '../../ui/drawings/Icon.tsx'
import { RowButton } from '../../ui/RowButton.tsx'
import * as css from './Cell.css.ts'

/** A value with the button that copies it in full; a tick says for a moment that it did. */
export function CopyCell({
  resource,
  id,
  action,
  children,
}: {
  resource: Resource
  id: number
  action: Action
  children: ReactNode
}) {
  const { say } = useTexts()
  const label = say(actionKey(action))
  const [isCopied, setCopied] = useCopied()
  const copy = async () => {
    const report = await perform(action, [records.peek(resource.name, id)!])
    setCopied(report.kind === 'ok' && report.outcome.kind === 'copy' && report.outcome.text !== '')
  }
  return (
    <span className={css.cell}>
      {children}
      <RowButton
        className={button({ tone: 'ghost', size: 'small', shape: 'icon' })}
        aria-label={label}
        title={label}
        onPress={() => void copy()}
      >
        <Icon name={isCopied ? 'check' : 'copy'} />
      </RowButton>
    </span>
  )
}
