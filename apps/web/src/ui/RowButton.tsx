import type { ComponentProps } from 'react'

/**
 * A button inside a row. Plain, because react-aria’s costs a third of a millisecond per row and the row would take its
 * presses. Not a tab stop: the row’s actions cover it.
 */
export function RowButton({
  onPress,
  ...props
}: Omit<ComponentProps<'button'>, 'onClick'> & { onPress: (button: HTMLButtonElement) => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      {...props}
      onPointerDown={(event) => event.stopPropagation()}
      onMouseDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        event.stopPropagation()
        onPress(event.currentTarget)
      }}
    />
  )
}
