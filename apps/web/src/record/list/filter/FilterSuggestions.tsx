import { fieldKey, type Resource } from '@qd/core/define'
import { useEffect, useRef } from 'react'
import { useTexts } from '../../../base/state/texts.ts'
import * as css from './FilterBar.css.ts'
import type { CompletionState } from './use-completion.ts'

/** Id of one of the ways to go on, for `aria-activedescendant`. */
export const suggestionId = (list: string, index: number) => `${list}-${index}`

/** The ways to go on, below the filter. The focus stays in the filter. */
export function FilterSuggestions({ id, resource, state }: { id: string; resource: Resource; state: CompletionState }) {
  const { t, say } = useTexts()
  const { items, chosen, take } = state
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => void list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' }), [chosen])
  return (
    <div ref={list} id={id} className={css.list} role="listbox" aria-label={t('ui.list.suggestions')} tabIndex={-1}>
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: keys go to the filter, which names the chosen one
        <div
          key={`${item.kind} ${item.text}`}
          id={suggestionId(id, index)}
          className={css.option}
          role="option"
          aria-selected={index === chosen}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(item)}
        >
          <span className={css.text}>{item.text}</span>
          <span className={css.about}>{say(fieldKey(resource, item.field))}</span>
        </div>
      ))}
    </div>
  )
}
