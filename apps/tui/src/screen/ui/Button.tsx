import { Words } from './Words.tsx'

interface ButtonProps {
  readonly label: string
  readonly isFocused: boolean
  readonly isUsable?: boolean
  /** It takes something away. */
  readonly isBad?: boolean
}

/** Cells of a button beside its label. */
export const buttonCells = 5

/** A button within a row. */
export function Button({ label, isFocused, isUsable = true, isBad = false }: ButtonProps) {
  return (
    <>
      <Words look="accent">{isFocused ? '▌' : ' '}</Words>
      <Words look={!isUsable ? 'muted' : isFocused && isBad ? 'bad' : 'text'} bold={isFocused && isUsable}>
        {isFocused ? `[ ${label} ]` : `  ${label}  `}
      </Words>
    </>
  )
}
