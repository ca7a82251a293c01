import { useId, useState } from 'react'
import { afterPress } from '../../base/hooks/after-press.ts'
import { FieldNote } from '../../ui/inputs/Field.tsx'
import * as css from './RulesInput.css.ts'

/** A value inside a sentence with its unit. What is typed stays as it is until it can be read; `why` says what is expected. */
export function TypedValue({
  label,
  shown,
  unit,
  isWrong,
  why,
  onType,
}: {
  label: string
  /** The value as text, while nothing is being typed. */
  shown: string
  unit: string | null
  isWrong: boolean
  why: string
  onType: (text: string) => void
}) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [isLeft, setLeft] = useState(false)
  const text = typed ?? shown
  const isTold = isWrong && isLeft
  return (
    <>
      <span className={css.value} data-invalid={isTold || undefined}>
        <input
          className={css.typed}
          style={{ width: `calc(${Math.max(2, text.length)}ch + 18px)` }}
          aria-label={unit === null ? label : `${label} (${unit})`}
          aria-invalid={isTold || undefined}
          {...(isTold ? { 'aria-describedby': id } : {})}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onChange={({ target }) => {
            setTyped(target.value)
            onType(target.value)
          }}
          onBlur={() =>
            afterPress(() => {
              setLeft(true)
              if (!isWrong) setTyped(null)
            })
          }
        />
        {unit !== null && (
          <span className={css.unit} aria-hidden="true">
            {unit}
          </span>
        )}
      </span>
      {isTold && <FieldNote id={id} error={why} />}
    </>
  )
}
