import { useValue } from '@legendapp/state/react'
import type { TextInput as Input } from '../terminal/text-input.ts'
import { Pieces } from './Pieces.tsx'

interface TextInputProps {
  readonly input: Input
  readonly cells: number
  readonly isSecret?: boolean
  readonly isFocused?: boolean
}

/** A text that is being typed, within a row: as much of it as has room, with its cursor. */
export function TextInput({ input, cells, isSecret = false, isFocused = true }: TextInputProps) {
  useValue(input.version$)
  return <Pieces line={input.draw(cells, { secret: isSecret, focused: isFocused })} />
}
