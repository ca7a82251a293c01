import type { TextInput as Input } from '../terminal/text-input.ts'
import { fitText } from './fit.ts'
import { TextInput } from './TextInput.tsx'
import { Words } from './Words.tsx'

interface FieldProps {
  /** Empty where the row above says it. */
  readonly label: string
  readonly labelCells: number
  readonly input: Input
  /** Of the whole row. */
  readonly cells: number
  readonly isSecret?: boolean
  readonly isFocused: boolean
}

/** A row with a name and what is typed for it. */
export function Field({ label, labelCells, input, cells, isSecret = false, isFocused }: FieldProps) {
  return (
    <Words>
      <Words look="accent">{isFocused ? '▌ ' : '  '}</Words>
      <Words look={isFocused ? 'bold' : 'muted'}>{fitText(label, labelCells)}</Words>
      <TextInput input={input} cells={cells - labelCells - 3} isSecret={isSecret} isFocused={isFocused} />
    </Words>
  )
}
